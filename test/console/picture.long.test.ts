/** The picture of the README: the first page of the console, over a service that has been at work for a minute. */
import { it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { launch, openConsole, openPage } from './opened.ts';
import { failSome, makeWorld, pauseNordwind, trickle } from './world.ts';

/** So that all charts are in it. */
const SIZE = { width: 1280, height: 988 };
/** As much as the charts show at least. */
const SHOWN_MS = 65_000;

inBrowser('the console', async () => {
  const world = await makeWorld();
  await failSome(world);
  await pauseNordwind(world);
  const browser = await launch();
  const link = await openConsole(world, world.internals);

  it('shows what a service does that is at work', async () => {
    const { page, shows, picture, wasQuiet } = await openPage(browser, link, { size: SIZE });
    await shows('Nordwind Logistics is paused.');
    await trickle(world, SHOWN_MS);
    await shows('24 documents failed');
    await page.locator('.chart canvas').nth(5).waitFor();
    await picture('console');
    wasQuiet();
  });
});
