/** The console in Debian's chromium, as an operator opens it: what is seen, whether axe objects, and a picture of it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { startConsole } from '../../src/cli/console/server.ts';
import { later } from '../support/later.ts';

const CHROMIUM = '/usr/bin/chromium';
/** Ignored by git; the gate brings it from its copy to where it was started. */
const PICTURES = '.screenshots';
/** Met only by what hangs. */
const HANGS_MS = 120_000;

export const SIZES = { desk: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } };

export async function launch(): Promise<Browser> {
  // Without a sandbox, since root may not have one; without /dev/shm, which is small in a container.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  later(() => browser.close());
  return browser;
}

export async function openConsole(service: { url: string }, key: string): Promise<string> {
  const console = await startConsole({ url: service.url, key }, 0);
  later(() => console.close());
  return console.link;
}

export interface Opened {
  page: Page;
  /** Goes to a view. */
  to(place: string): Promise<void>;
  /** Waits until the page shows this text. */
  shows(text: string | RegExp): Promise<void>;
  hides(text: string | RegExp): Promise<void>;
  /** What is wrong with the page for those who do not see, or see little. */
  accessible(): Promise<void>;
  picture(name: string): Promise<void>;
  /** Nothing was thrown, nothing was refused by the policy, and nothing was asked of anybody else. */
  wasQuiet(): void;
}

export interface Look {
  size?: { width: number; height: number };
  colours?: 'light' | 'dark';
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function openPage(
  browser: Browser,
  link: string,
  { size = SIZES.desk, colours = 'light' }: Look = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: size, colorScheme: colours, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(HANGS_MS);
  const noise: string[] = [];
  const { origin } = new URL(link);
  page.on('pageerror', (error) => noise.push(String(error)));
  // A service that is away is told of by the browser, too.
  page.on(
    'console',
    (message) =>
      message.type() === 'error' && !/Failed to load resource/.test(message.text()) && noise.push(message.text()),
  );
  page.on('request', (request) => new URL(request.url()).origin !== origin && noise.push(request.url()));
  await page.goto(link);
  const seen = (text: string | RegExp) => page.locator('body').getByText(text).filter({ visible: true }).first();
  return {
    page,
    async to(place) {
      await page.goto(`${origin}/${place}`);
    },
    shows: (text) => seen(text).waitFor(),
    hides: (text) => seen(text).waitFor({ state: 'hidden' }),
    async accessible() {
      await page.evaluate(axe);
      const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
      const found = violations.map(
        ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
      );
      expect(found).toEqual([]);
      // At any width the page scrolls in one direction only.
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    },
    async picture(name) {
      await page.screenshot({ path: `${PICTURES}/${name}.png` });
    },
    wasQuiet: () => expect(noise).toEqual([]),
  };
}

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}
