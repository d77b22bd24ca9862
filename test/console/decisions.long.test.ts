/** Many contradictions in the console, one after the other: a hundred are decided by keys alone, past the page that was read first. */
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { launch, openConsole, openPage } from './opened.ts';
import { makeHundred } from './world.ts';

inBrowser('the console', async () => {
  const world = await makeHundred();
  const { tenant, call, admin, internals } = world;
  const browser = await launch();
  const link = await openConsole(world, internals);

  it('a hundred contradictions are decided by the keyboard alone, without a break', async () => {
    const { page, to, shows, picture, wasQuiet } = await openPage(browser, link);
    await to(`#/contradictions/${tenant.tenantId}/firms`);
    // Fifty are read at once.
    await shows('1 of 50 or more; 50 still open');
    // It goes while a decision is typed and sent, and comes with the next that is open.
    const offered = page.locator('.decision [aria-keyshortcuts="a"]');
    for (let left = 100; left > 0; left--) {
      await offered.waitFor();
      await page.keyboard.press(left > 50 ? 'b' : 'a');
      if (left === 100) {
        await page.keyboard.type('m.larsen');
        await page.keyboard.press('Shift+Tab');
        // Whatever has the page drawn anew takes nothing away of what was typed.
        await page.evaluate('dispatchEvent(new HashChangeEvent("hashchange"))');
        await page.keyboard.type('The later count holds.');
      }
      await page.keyboard.press('Enter');
    }
    await shows('100 of 100; 0 still open');
    await shows('Nothing is left to decide in what was read of this scope.');
    await picture('contradictions-decided');
    await until(
      () => world.summary(tenant, 'firms'),
      ({ contradictions }) => contradictions.open === 0,
    );
    const { body } = await call('GET', `/admin/tenants/${tenant.tenantId}/scopes/firms/contradictions?limit=200`, {
      key: admin,
    });
    const decided = body.contradictions as Record<string, string>[];
    const words = { status: 'resolved', resolution: 'The later count holds.', resolved_by: 'm.larsen' };
    expect(decided).toHaveLength(100);
    for (const one of decided) expect(one).toMatchObject(words);
    expect(decided.filter(({ upholds }) => upholds === 'b')).toHaveLength(50);
    wasQuiet();
  });

  it('a side that stays is marked anew when the other one changes', async () => {
    const { page, wasQuiet } = await openPage(browser, link);
    // As a string: the module is the page's own. The document is not there, so that the sentence alone is shown.
    const marked = (other: string) =>
      page.evaluate(`(async () => {
        const { TextPane } = await import('/views/texts.js');
        window.pane ??= new TextPane('ten_nobody', 'nowhere', new AbortController().signal);
        document.body.append(pane.element);
        const sentence = 'It has 1,900 employees.';
        pane.show({ document_id: 'd', seq: 1, sentence, span: { start: 0, end: 1 } }, { sentence: '${other}' });
        while (!pane.element.querySelector('mark')) await new Promise((resolve) => setTimeout(resolve, 10));
        return [...pane.element.querySelectorAll('mark strong')].map(({ textContent }) => textContent.trim());
      })()`);
    expect(await marked('It has 2,310 employees.')).toEqual(['1,900']);
    expect(await marked('Acme has 1,900 robots.')).toEqual(['It', 'employees']);
    wasQuiet();
  });
});
