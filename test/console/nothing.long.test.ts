/** What the console shows where there is nothing to show: a service that is new, a list that is still read, one that is refused. */
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { startTestService } from '../support/service.ts';
import { launch, openConsole, openPage, SIZES } from './opened.ts';

inBrowser('the console', async () => {
  const service = await startTestService({ settings: { ROLE: 'all' } });
  const browser = await launch();
  const link = await openConsole(service, service.internals);

  it.each([
    ['at a desk', '', {}],
    ['on a phone in the dark', '-phone-dark', { size: SIZES.phone, colours: 'dark' }],
  ] as const)(
    'of a service that has had no document, every view says what will be there: %s',
    async (_what, look, options) => {
      const { to, shows, accessible, picture, wasQuiet } = await openPage(browser, link, options);
      for (const [name, text] of [
        ['now', 'No document has failed'],
        ['documents', 'Nothing has failed'],
        ['documents?document=lease', 'There is no document of that id'],
        ['scopes', 'A scope is made by its first document.'],
        ['contradictions', 'Nothing is disputed'],
        ['live', 'Nothing has happened since this page was opened'],
      ] as const) {
        await to(`#/${name}`);
        await shows(text);
        await accessible();
        await picture(`empty-${name.replace(/\?.*/, '-one')}${look}`);
      }
      wasQuiet();
    },
  );

  it('a list that is still read is grey, and one that the service refuses says why', async () => {
    const { page, to, shows, hides, accessible, picture } = await openPage(browser, link);
    await shows('Everything runs.');
    const letGo = Promise.withResolvers<void>();
    await page.route(/\/service\/(admin\/documents|internals\/kernel\/convergence)/, async (route) => {
      await letGo.promise;
      await route.continue();
    });
    for (const name of ['documents', 'scopes', 'contradictions']) {
      await to(`#/${name}`);
      await page.getByRole('status').getByText('Loading…').first().waitFor();
      await accessible();
      await picture(`loading-${name}`);
    }
    letGo.resolve();
    await shows('Nothing is disputed');
    await to('#/documents');
    await hides('Loading…');
    // Whatever somebody writes into the address, and what cannot be asked for at all.
    await to('#/documents?before=yesterday');
    await shows('That did not work');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await accessible();
    await picture('failing');
    await to('#/scopes/ten_nobody/%2e%2e');
    await shows('An id with a step in it');
    expect(await page.getByRole('navigation', { name: 'Views' }).getByRole('link').count()).toBe(5);
  });

  it('nothing is said to be well before it is known, nor after it could not be read', async () => {
    const { page, shows, hides, accessible, picture, wasQuiet } = await openPage(browser, link);
    await shows('Everything runs.');
    const unread = /\/service\/admin\/(runtime|documents)\?/;
    const wellWords = ['Everything runs.', 'nothing is paused', 'Nothing is. ', 'No document has failed'];
    const nothingIsWell = async () => {
      for (const words of wellWords) expect(await page.getByText(words).count(), words).toBe(0);
    };
    // While nobody has answered yet; the rest of the page is there.
    const letGo = Promise.withResolvers<void>();
    await page.route(unread, async (route) => {
      await letGo.promise;
      await route.fulfill({ status: 500, json: { code: 'internal', detail: 'Something went wrong.' } });
    });
    await page.reload();
    await page.getByRole('cell', { name: 'up' }).first().waitFor();
    await shows('Nothing is disputed');
    await nothingIsWell();
    // When the answer is no answer.
    letGo.resolve();
    await shows('What is paused is not known right now.');
    await shows('It is not known whether there are any. Something went wrong.');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await nothingIsWell();
    await accessible();
    await picture('unread');
    // By itself, as soon as it can be read.
    await page.unroute(unread);
    for (const words of wellWords) await shows(words);
    await hides('What is paused is not known right now.');
    // And what was read once is old.
    await page.route(unread, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', detail: 'Something went wrong.' } }),
    );
    await shows('What is paused is not known right now.');
    await shows(/^As of \d\d:\d\d:\d\d\. It could not be read since\. Something went wrong\.$/);
    await shows('Nothing was, at that time.');
    await shows(/^No document has failed, as of \d\d:\d\d:\d\d$/);
    expect(await page.locator('.headline.good, .need.good').count()).toBe(1);
    await accessible();
    await picture('old');
    wasQuiet();
  });
});
