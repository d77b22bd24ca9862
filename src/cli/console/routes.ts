/** The routes of the service that the page needs. The console forwards these and nothing else. */

const ROUTES = [
  'GET /api/health',
  'GET /admin/control-plane/health',
  'GET /admin/runtime',
  'POST /admin/runtime/start',
  'POST /admin/runtime/pause',
  'POST /admin/runtime/resume',
  'POST /admin/runtime/stop',
  'POST /admin/runtime/restart',
  'GET /admin/tenants',
  'GET /admin/tenants/*',
  'GET /admin/documents',
  'POST /admin/documents/retry',
  'GET /admin/tenants/*/scopes',
  'GET /admin/tenants/*/scopes/*/summary',
  'GET /admin/tenants/*/scopes/*/metrics',
  'GET /admin/tenants/*/scopes/*/events',
  'GET /admin/tenants/*/scopes/*/documents/*',
  'GET /admin/tenants/*/scopes/*/documents/*/text',
  'GET /admin/tenants/*/scopes/*/facts',
  'GET /admin/tenants/*/scopes/*/facts/*',
  'GET /admin/tenants/*/scopes/*/contradictions',
  'GET /admin/tenants/*/scopes/*/contradictions/*',
  'PATCH /admin/tenants/*/scopes/*/contradictions/*',
  'GET /internals/kernel/hatchery/snapshot',
  'GET /internals/kernel/convergence',
  'GET /internals/kernel/events',
  'GET /internals/metrics',
];

/** A part that somebody has chosen, as encodeURIComponent writes it: whatever else a path may have, the page sends none of it. */
const PART = "(?:[\\w.!~*'()-]|%[0-9A-F]{2})+";
const patternOf = (route: string) => new RegExp(`^${route.replaceAll('*', PART)}$`);
const patterns = ROUTES.map(patternOf);
const streams = ROUTES.filter((route) => route.endsWith('/events')).map(patternOf);
/** A step within a part, for who reads a slash in percent as one, or a character that ends a text for somebody. */
const UNSAFE = /(?:^|[/\\])\.{1,2}(?:[/\\]|$)|\p{Cc}/u;

/**
 * The path as it came, which has to be the one that fetch would ask for: that takes `\` for a slash and `%2e%2e` for two dots, and
 * would end at another route than the one that was matched. A slash that is written in percent is still one part there, and may be a
 * step to a proxy before the service: an id may have slashes, and no steps.
 */
export const isForwarded = (method: string, path: string): boolean =>
  patterns.some((one) => one.test(`${method} ${path}`)) &&
  URL.parse(`http://service${path}`)?.pathname === path &&
  path.split('/').every(isSafe);

function isSafe(part: string): boolean {
  try {
    return !UNSAFE.test(decodeURIComponent(part));
  } catch {
    return false;
  }
}

/** Those that have no end. */
export const isStream = (path: string): boolean => streams.some((one) => one.test(`GET ${path}`));
