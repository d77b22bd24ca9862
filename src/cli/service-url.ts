/** The address of a running service, as a command is given it. */
import { readClientUrl } from '../config.ts';
import { StartError } from '../errors.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** What --url says, or else DOCKET_URL, or else this machine. Without a slash at the end, so that a path may follow. */
export function serviceUrl(given: string | undefined): string {
  const url = URL.parse(given ?? readClientUrl() ?? DEFAULT_URL);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new StartError(
      `${given === undefined ? 'DOCKET_URL' : '--url'}: expected the address of the service, such as ${DEFAULT_URL}`,
    );
  return url.origin + url.pathname.replace(/\/$/, '');
}
