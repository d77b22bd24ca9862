/** Many contradictions in the console, one after the other: a hundred are decided by keys alone; answers come late, or not at all. */
import type { Page } from 'playwright-core';
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

  const contradictionsOf = async (scope: string) => {
    const path = `/admin/tenants/${tenant.tenantId}/scopes/${scope}/contradictions?limit=200`;
    return (await call('GET', path, { key: admin })).body.contradictions as Record<string, string>[];
  };
  const shownId = (page: Page) => new URL(page.url()).hash.split('?')[0]?.split('/')[4] ?? '';
  const texts = (page: Page) => page.locator('.side mark').nth(1).waitFor();

  it('a page that could not be read is asked for again, and the list goes on', async () => {
    const { page, to, shows, hides, wasQuiet } = await openPage(browser, link);
    await page.route('**/contradictions?*cursor=*', (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', detail: 'Something went wrong.' } }),
    );
    await to(`#/contradictions/${tenant.tenantId}/firms`);
    await shows('1 of 50 or more; 50 still open');
    const [first] = await page.locator('main h1').allInnerTexts();
    // Five before the end more is read, and fails.
    for (let n = 2; n <= 46; n++) {
      await page.keyboard.press('n');
      await shows(`${n} of 50 or more`);
    }
    await shows('Something went wrong.');
    await page.unroute('**/contradictions?*cursor=*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await shows('46 of 100');
    await hides('Something went wrong.');
    expect(await page.locator('main h1').innerText()).not.toBe(first);
    wasQuiet();
  });

  it('a hundred contradictions are decided by the keyboard alone, without a break, each as it was meant', async () => {
    const { page, to, shows, picture, wasQuiet } = await openPage(browser, link);
    const open = await contradictionsOf('firms');
    const subjects = new Map(open.map(({ id, subject }) => [id, subject as string]));
    // Neither all alike nor in turn: what is decided of a neighbour would be wrong.
    const meant = new Map(open.map(({ id }, n) => [id as string, n % 3 === 0 ? 'a' : 'b']));
    const sent: [string, string][] = [];
    page.on('request', (request) => {
      if (request.method() !== 'PATCH') return;
      sent.push([request.url().split('/').at(-1) as string, request.postDataJSON().upholds]);
    });
    await to(`#/contradictions/${tenant.tenantId}/firms`);
    // Fifty are read at once.
    await shows('1 of 50 or more; 50 still open');
    // It goes while a decision is typed and sent, and comes with the next that is open.
    const offered = page.locator('.decision [aria-keyshortcuts="a"]');
    const shown: string[] = [];
    for (let left = 100; left > 0; left--) {
      await offered.waitFor();
      const id = shownId(page);
      shown.push(id);
      expect(await page.locator('main h1').innerText()).toContain(subjects.get(id));
      await page.keyboard.press(meant.get(id) as string);
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
    expect(sent).toEqual(shown.map((id) => [id, meant.get(id)]));
    expect(new Set(shown).size).toBe(100);
    const words = { status: 'resolved', resolution: 'The later count holds.', resolved_by: 'm.larsen' };
    const decided = await contradictionsOf('firms');
    expect(decided).toHaveLength(100);
    for (const one of decided) expect(one).toMatchObject({ ...words, upholds: meant.get(one.id as string) });
    wasQuiet();
  });

  it('a decision whose answer comes late is of the one that it was made for, and no other', async () => {
    const { page, to, shows, wasQuiet } = await openPage(browser, link);
    const few = await contradictionsOf('few');
    const [one, two] = few.map(({ id }) => id as string) as [string, string];
    const goTo = async (id: string) => {
      await to(`#/contradictions/${tenant.tenantId}/few/${id}`);
      const subject = few.find((each) => each.id === id)?.subject as string;
      await page.getByRole('heading', { level: 1, name: subject }).waitFor();
      await texts(page);
    };
    let letGo = Promise.withResolvers<void>();
    const sent: string[] = [];
    await page.route('**/contradictions/*', async (route) => {
      if (route.request().method() === 'PATCH') {
        sent.push(route.request().url().split('/').at(-1) as string);
        await letGo.promise;
      }
      await route.continue();
    });
    const upheld = async () => {
      const all = await contradictionsOf('few');
      return [one, two].map((id) => all.find((each) => each.id === id)?.upholds ?? null);
    };
    await goTo(one);
    await page.keyboard.press('b');
    await page.keyboard.type('m.larsen');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('It is later.');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent).toEqual([one]);
    // What was sent cannot be taken back, and nothing acts on what is shown, wherever the focus is.
    for (const focused of ['', 'document.getElementById("main").focus()']) {
      await page.evaluate(focused);
      for (const key of ['Escape', 'n', 'a']) await page.keyboard.press(key);
    }
    expect(shownId(page)).toBe(one);
    await page.getByText(/^B holds: /).waitFor();
    // A link leads away all the same, and there another is about to be decided when the answer comes.
    await goTo(two);
    await page.keyboard.press('a');
    await page.getByText(/^A holds: /).waitFor();
    await page.keyboard.press('Enter');
    expect(sent).toEqual([one]);
    letGo.resolve();
    await shows(/\. Decided: B holds\.$/);
    expect(shownId(page)).toBe(two);
    await page.getByText(/^A holds: /).waitFor();
    expect(await upheld()).toEqual(['b', null]);
    // The row of the first has the answer.
    await page.keyboard.press('Escape');
    await goTo(one);
    await shows('B holds. “It is later.” m.larsen');

    // And when the view was left, it is told, and nothing else happens.
    letGo = Promise.withResolvers<void>();
    await goTo(two);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent).toEqual([one, two]);
    await to('#/now');
    await shows('Needs somebody');
    letGo.resolve();
    await shows(/\. Decided: A holds\.$/);
    expect(new URL(page.url()).hash).toBe('#/now');
    expect(await page.locator('main .sides').count()).toBe(0);
    expect(await upheld()).toEqual(['b', 'a']);
    wasQuiet();
  });

  it('one that the list does not have is seen as decided once it is', async () => {
    const { page, to, shows, wasQuiet } = await openPage(browser, link);
    const [one] = await contradictionsOf('one');
    await to(`#/contradictions/${tenant.tenantId}/one/${one?.id}?status=resolved`);
    await texts(page);
    await page.keyboard.press('a');
    await page.keyboard.type('m.larsen');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('It was counted.');
    await page.keyboard.press('Enter');
    await shows('A holds. “It was counted.” m.larsen');
    expect(await page.getByRole('button', { name: 'A holds' }).count()).toBe(0);
    wasQuiet();
  });

  it('a key that is held counts once, each step is told, and letters can be switched off', async () => {
    const { page, to, shows, accessible, wasQuiet } = await openPage(browser, link);
    const told = page.locator('main > p.hidden[role=status]');
    await to(`#/contradictions/${tenant.tenantId}/few`);
    await shows('1 of 4; 4 still open');
    await texts(page);
    const reasons = new Map((await contradictionsOf('few')).map(({ id, reason }) => [id, reason as string]));
    const isTold = async () => {
      const words = await told.innerText();
      expect(words).toContain(await page.locator('main h1').innerText());
      expect(words).toContain(reasons.get(shownId(page)));
      return words;
    };
    const first = await isTold();
    for (let n = 0; n < 5; n++) await page.keyboard.down('p');
    for (let n = 0; n < 5; n++) await page.keyboard.down('n');
    await page.keyboard.up('n');
    await shows('2 of 4');
    expect(await isTold()).not.toBe(first);
    await page.getByRole('button', { name: 'Switch letter keys off' }).click();
    expect(await page.locator('.decision kbd').count()).toBe(0);
    for (const key of ['p', 'a']) await page.keyboard.press(key);
    await page.reload();
    await shows('2 of 4');
    await accessible();
    for (const key of ['p', 'a']) await page.keyboard.press(key);
    expect(await page.locator('.decision form').count()).toBe(0);
    await page.getByRole('button', { name: 'Switch letter keys on' }).click();
    await page.keyboard.press('p');
    await shows('1 of 4');
    for (let n = 0; n < 5; n++) await page.keyboard.down('a');
    await page.keyboard.up('a');
    expect(await page.getByLabel('Decided by').inputValue()).toBe('');
    wasQuiet();
  });

  it('who leafs through reads only what they stay at, and what they leave is given up', async () => {
    const { page, to, shows, wasQuiet } = await openPage(browser, link);
    await page.clock.install();
    await to(`#/contradictions/${tenant.tenantId}/firms?status=resolved`);
    await shows('1 of 50 or more');
    await texts(page);
    const [asked, left]: [string[], string[]] = [[], []];
    const documentOf = (url: string) => /firm-\d+/.exec(decodeURIComponent(url))?.[0] ?? url;
    const isText = (url: string) => new URL(url).pathname.endsWith('/text');
    page.on('request', (request) => isText(request.url()) && asked.push(documentOf(request.url())));
    page.on('requestfailed', (request) => isText(request.url()) && left.push(documentOf(request.url())));
    const letGo = Promise.withResolvers<void>();
    await page.route('**/text', async (route) => {
      await letGo.promise;
      await route.continue().catch(() => {});
    });
    // From here on time stands still, so that no step takes longer than a moment.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    for (let n = 2; n <= 6; n++) {
      await page.keyboard.press('n');
      await shows(`${n} of 50`);
    }
    expect(asked).toEqual([]);
    await page.clock.runFor(1000);
    await expect.poll(() => asked).toHaveLength(2);
    const [sixth] = asked as [string];
    expect(asked).toEqual([sixth, sixth]);
    await page.keyboard.press('n');
    await expect.poll(() => left).toEqual([sixth, sixth]);
    letGo.resolve();
    await page.clock.runFor(1000);
    await texts(page);
    expect(asked).toHaveLength(4);
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
