/** Contradictions in the console: two contracts side by side, of which the right one is upheld, by the keyboard alone. */
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { launch, openConsole, openPage } from './opened.ts';
import { makeWorld } from './world.ts';

interface Decided {
  id: string;
  status: string;
  upholds: 'a' | 'b' | null;
  evidence_a: { document_id: string };
  evidence_b: { document_id: string };
}

inBrowser('the console', async () => {
  const world = await makeWorld();
  const { acme, call, admin } = world;
  const browser = await launch();
  const link = await openConsole(world, world.internals);

  it('contradictions: two texts side by side, decided by the keyboard alone', async () => {
    const { page, shows, accessible, picture, wasQuiet } = await openPage(browser, link);
    const { contradictions: before } = await world.summary(acme, 'contracts-2026');
    expect(before.open).toBeGreaterThan(2);
    await page.goto(`${new URL(link).origin}/#/contradictions`);
    await shows('contracts-2026');
    await accessible();
    await picture('contradictions');
    await page.getByRole('link', { name: /contracts-2026/ }).click();
    await page.locator('.side mark').nth(1).waitFor();
    expect(await page.locator('.side mark strong').count()).toBeGreaterThan(1);
    await accessible();
    await picture('contradiction');

    // The lease of January is wrong: the other two came later, and say the same.
    const title = page.getByRole('heading', { level: 1 });
    for (let n = 1; n < before.open && !/runs/.test(await title.innerText()); n++) {
      const url = page.url();
      await page.keyboard.press('n');
      await expect.poll(() => page.url()).not.toBe(url);
    }
    const sides = { a: page.getByRole('region', { name: 'Side A' }), b: page.getByRole('region', { name: 'Side B' }) };
    const rightOne = async () => {
      for (const side of Object.values(sides)) await side.getByRole('heading', { level: 2 }).waitFor();
      await page.locator('.side mark').nth(1).waitFor();
      const names = await Promise.all(Object.values(sides).map((side) => side.getByRole('heading').innerText()));
      return names[0] === 'Lease of January' ? ('b' as const) : ('a' as const);
    };
    expect(await title.innerText()).toContain('runs');
    const first = page.url();
    const right = await rightOne();
    const upheld = await sides[right].getByRole('heading').innerText();
    expect(upheld).toMatch(/^(Lease as amended|Confirmation of the landlord)$/);
    await page.keyboard.press(right);
    // The form says what will stand.
    await page.getByText(`${right.toUpperCase()} holds: five years (${upheld})`, { exact: true }).waitFor();
    await page.keyboard.type('m.larsen');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('The later lease holds.');
    await accessible();
    await picture('contradiction-why');
    await page.keyboard.press('Enter');
    await shows(`Decided: ${right.toUpperCase()} holds.`);
    await expect.poll(() => page.url()).not.toBe(first);
    // The name is known by now, and the reason is offered again.
    const second = page.url();
    await page.keyboard.press('l');
    await shows('This cannot be undone: neither side can be upheld afterwards.');
    await picture('contradiction-left');
    await page.keyboard.press('Enter');
    await shows('Left undecided.');
    if (before.open > 2) await expect.poll(() => page.url()).not.toBe(second);
    for (let left = before.open - 2; left > 0; left--) {
      const url = page.url();
      await page.keyboard.press(await rightOne());
      await page.keyboard.press('Enter');
      if (left > 1) await expect.poll(() => page.url()).not.toBe(url);
    }
    await until(
      () => world.summary(acme, 'contracts-2026'),
      ({ contradictions }) => contradictions.open === 0,
    );
    const path = `/admin/tenants/${acme.tenantId}/scopes/contracts-2026/contradictions`;
    const decided = (await call('GET', path, { key: admin })).body.contradictions as Decided[];
    expect(decided.filter(({ status }) => status === 'deferred')).toHaveLength(1);
    const id = first.split('?')[0]?.split('/').at(-1);
    const words = { upholds: right, resolution: 'The later lease holds.', resolved_by: 'm.larsen' };
    expect(decided.find((one) => one.id === id)).toMatchObject(words);
    // Of none is the lease of January upheld.
    const holding = decided.flatMap(({ upholds, evidence_a, evidence_b }) =>
      upholds ? [(upholds === 'a' ? evidence_a : evidence_b).document_id] : [],
    );
    expect(holding).toHaveLength(before.open - 1);
    expect(holding).not.toContain('lease-of-january');
    wasQuiet();
  });
});
