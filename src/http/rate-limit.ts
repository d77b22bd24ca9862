/** Says which limit was overrun in the fields of draft-ietf-httpapi-ratelimit-headers, for clients that slow down by themselves. */
import type { Limit } from '../errors.ts';

/** To whom it is said, nothing is left: `r` is what is left, `t` in how many seconds there is more. */
export function rateLimitHeaders({ name, quota, perSecond, unit }: Limit, afterSeconds = 1): Record<string, string> {
  const window = perSecond ? ';w=1' : '';
  const quotaUnit = unit === 'bytes' ? ';qu="content-bytes"' : '';
  return {
    ratelimit: `"${name}";r=0;t=${afterSeconds}`,
    'ratelimit-policy': `"${name}";q=${quota}${window}${quotaUnit}`,
  };
}
