/** What a start says to the person who made it: where the service is, and how to get in. It stands apart from the log. */
import { painter } from './terminal.ts';

export interface Welcome {
  url: string;
  /** A worker has neither documentation nor tenants to make. */
  servesApi: boolean;
  /** Those that were made just now, which nobody will see again. */
  firstKeys: { admin: string; internals: string } | null;
  /** Whether the environment has keys: whoever set them knows how to get in. */
  hasGivenKeys: boolean;
  /** Whether a command needs settings to find the same store. */
  hasOwnStore: boolean;
}

export function welcome(to: Welcome, colours: boolean): string {
  const paint = painter(colours);
  const { url, servesApi, firstKeys } = to;
  const address = paint('bold', `Docket is at ${paint('cyan', url)},`);
  const what = servesApi
    ? `its documentation at ${paint('cyan', `${url}/docs`)}`
    : 'a worker: it answers only for its health and under /internals';
  const parts = [`  ${address} ${what}`];
  if (firstKeys) {
    parts.push(
      '  This is the first start. Two keys were made; they are shown only now and kept as hashes:',
      `    admin      ${paint('yellow', firstKeys.admin)}\n    internals  ${paint('yellow', firstKeys.internals)}`,
    );
    if (servesApi) parts.push('  Try it: create a tenant.', tryIt(url, firstKeys.admin));
  } else if (servesApi && !to.hasGivenKeys) {
    const how = to.hasOwnStore ? 'For a new one, with the same settings' : 'For a new one';
    parts.push(`  Keys are shown once, when they are made. ${how}: ${paint('bold', 'npm run keys -- issue admin')}`);
  }
  return `\n${parts.join('\n\n')}\n\n`;
}

/** Neither indented nor coloured: it is there to be copied, as a whole line. */
function tryIt(url: string, key: string): string {
  return `curl -X POST ${url}/admin/tenants -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"name": "Acme"}'`;
}
