/** The pass that the link of the console has brought: this browser keeps it, and every request shows it. */

/** Kept by the origin, and so by the port: no other page of 127.0.0.1 can read it. It is worth nothing when the console has ended. */
const NAME = 'docket-pass';

/** Takes the pass out of the address, where the next one to look over a shoulder would read it. Whether there was one. */
export function takePass() {
  const [, pass] = /^#pass=([\w-]+)$/.exec(location.hash) ?? [];
  if (!pass) return false;
  localStorage.setItem(NAME, pass);
  history.replaceState(null, '', '/');
  return true;
}

/** @returns {Record<string, string>} */
export function passHeaders() {
  const pass = localStorage.getItem(NAME);
  return pass ? { 'x-docket-pass': pass } : {};
}
