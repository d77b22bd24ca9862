/** The address of a running service, as a command is given it. */
import { StartError } from '../errors.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Without a slash at the end, so that a path may follow. */
export function serviceUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new StartError(`--url: expected the address of the service, such as ${DEFAULT_URL}`);
  return url.origin + url.pathname.replace(/\/$/, '');
}
