/** Deprecated paths answer as their replacements do, and say so. */
import { expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const { call, internals, app } = await startTestService();

it.each([
  ['/internals/hatchery/snapshot', '/internals/kernel/hatchery/snapshot'],
  ['/internals/control-plane/health', '/internals/kernel/control-plane/health'],
])('%s is %s', async (deprecated, replacement) => {
  const [old, now] = [
    await call('GET', deprecated, { key: internals }),
    await call('GET', replacement, { key: internals }),
  ];
  expect([old.status, Object.keys(old.body)]).toEqual([now.status, Object.keys(now.body)]);
  expect(old.headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(old.headers.get('link')).toBe(`<${replacement}>; rel="successor-version"`);
  expect(now.headers.get('deprecation')).toBeNull();
  const paths = app.swagger().paths as Record<string, { get: { deprecated?: boolean } }>;
  expect([paths[deprecated]?.get.deprecated, paths[replacement]?.get.deprecated]).toEqual([true, undefined]);
});
