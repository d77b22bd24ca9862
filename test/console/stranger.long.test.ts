/** Somebody who has never seen Docket, and reads nothing but the page: what they want to know is found by its words and links alone. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { launch, openConsole, openPage } from './opened.ts';
import { failSome, makeWorld, pauseNordwind } from './world.ts';

/** More would be a maze, and nobody looks for longer. */
const MOST_CLICKS = 12;

/** What a person does: reads, and clicks on what a text names. No address is typed, and no part of the page is known beforehand. */
function stranger(page: Page) {
  let clicks = 0;
  const seen = (words: RegExp) => page.getByText(words).filter({ visible: true }).first();
  return {
    reads: async (words: RegExp) => (await seen(words).innerText()).trim(),
    async clicks(role: 'link' | 'button', words: RegExp, within: Page | Locator = page) {
      clicks++;
      await within.getByRole(role, { name: words }).filter({ visible: true }).first().click();
    },
    count: () => clicks,
  };
}

inBrowser('a stranger in the console', async () => {
  const world = await makeWorld();
  await failSome(world);
  await pauseNordwind(world);
  const browser = await launch();
  const link = await openConsole(world, world.internals);

  it('finds who is paused, why a document failed, and which of two contracts is wrong', async () => {
    const { page, picture, wasQuiet } = await openPage(browser, link);
    const person = stranger(page);

    // Who is paused stands at the top of the first page, with the reason.
    expect(await person.reads(/ is paused\.$/)).toBe('Nordwind Logistics is paused.');
    expect(await person.reads(/^They sent their mail archive/)).toBe('They sent their mail archive twice.');

    // Why one failed is behind the words that say that some have.
    await person.clicks('link', /documents failed/);
    await person.clicks('link', /Invoice 3/);
    await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
    const { body } = await world.call('GET', `/admin/tenants/${world.harbour.tenantId}/scopes/invoices/documents/f3`, {
      key: world.admin,
    });
    await page.getByRole('complementary').getByText(body.error, { exact: true }).first().waitFor();
    expect(body.error).toBeTruthy();

    // Which contract is wrong: what is disputed is told on the first page, too.
    await person.clicks('link', /^Now/);
    await person.clicks('link', /facts are disputed/);
    await person.clicks('link', /contracts-2026/);
    const sides = ['A', 'B'].map((letter) => page.getByRole('region', { name: `Side ${letter}` }));
    const isOfLease = async () => /lease|rent/i.test(await page.getByRole('heading', { level: 1 }).innerText());
    for (let n = 0; n < 5 && !(await isOfLease()); n++) await person.clicks('button', /^Next/);
    const said = await Promise.all(
      sides.map(async (side) => (await side.getByText(/^said by \d of 3 documents$/).innerText()).trim()),
    );
    expect([...said].sort()).toEqual(['said by 1 of 3 documents', 'said by 2 of 3 documents']);
    const wrong = said.indexOf('said by 1 of 3 documents');
    await sides[wrong]?.getByRole('heading', { name: 'Lease of January' }).waitFor();
    await picture('stranger');

    // And to say so is one more button, with the reason asked for beside it.
    await person.clicks('button', wrong === 0 ? /^B holds/ : /^A holds/);
    await page.getByLabel('Decided by').fill('a stranger');
    await page.getByLabel('Why').fill('Two documents say so, and both came later.');
    await person.clicks('button', /^Decide/);
    await person.reads(/^Decided: . holds\.$/);
    await person.clicks('button', /^resolved$/);
    await sides[wrong]?.getByText('does not hold').waitFor();
    await sides[wrong]?.getByRole('heading', { name: 'Lease of January' }).waitFor();
    expect(person.count()).toBeLessThanOrEqual(MOST_CLICKS);
    wasQuiet();
  });
});
