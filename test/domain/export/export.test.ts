/** An export in small pages: what happens between two, and that it goes on from behind each of them. */
import { describe, expect, it } from 'vitest';
import { beginExport, type ExportWishes } from '../../../src/domain/export/export.ts';
import { type Line, linesOf } from '../../support/exported.ts';
import { withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const { db } = service;
const tenant = await service.newTenant();
const SMALL = { documents: 2, claims: 1, facts: 1, contradictions: 1 };
const begin = (scopeId: string, wishes: ExportWishes = {}) => beginExport(db, tenant.tenantId, scopeId, wishes, SMALL);
const ingest = (scopeId: string, document_id: string, text = `Acme Robotics has ${document_id.length} employees.`) =>
  service.ingest(tenant, scopeId, text, { document_id });
const remove = (scopeId: string, id: string) =>
  service.call('DELETE', `/api/documents/${id}?scope_id=${scopeId}`, { tenantKey: tenant.key });

/** The ids of the documents of the rest. */
async function rest(begun: Awaited<ReturnType<typeof begin>>): Promise<Line[]> {
  const lines: Line[] = [];
  for (let page = await begun.next(); page; page = await begun.next())
    lines.push(...linesOf(`${(await page.write()).lines}`));
  return lines;
}
const idsOf = (lines: Line[]) => lines.filter(({ kind }) => kind === 'document').map(({ document_id }) => document_id);

/** Paused: its documents stay as they are. */
async function newScope(scopeId: string, ids: string[]): Promise<void> {
  await service.call('POST', '/admin/scopes', {
    ...{ key: service.admin, tenantKey: tenant.key, body: { scope_id: scopeId } },
  });
  await service.control('pause', tenant, scopeId);
  for (const id of ids) await ingest(scopeId, id);
}

describe('from behind each page', () => {
  it('goes on with what the export would have gone on with, to the same end', async () => {
    for (let nth = 0; nth < 7; nth++)
      await service.ingest(
        tenant,
        'whole',
        `Acme Robotics has ${1000 * (nth + 1)} employees. Bolt Ltd was founded in 19${60 + nth}.`,
        {
          document_id: `d${nth}`,
        },
      );
    await service.ingest(tenant, 'whole', 'Acme Robotics has 9 employees.', { document_id: 'd1' });
    await service.call('GET', '/api/scopes/whole/summary?wait=60', { tenantKey: tenant.key });
    const begun = await begin('whole');
    const pages = [];
    for (let page = await begun.next(); page; page = await begun.next())
      pages.push({ cursor: page.cursor, ...(await page.write()) });
    const end = await begun.end();
    const kinds = linesOf(pages.map(({ lines }) => lines).join('')).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['document', 'claim', 'fact', 'contradiction']));
    expect(pages.length).toBeGreaterThan(20);
    for (const [nth, { cursor }] of pages.entries()) {
      const resumed = await begin('whole', { cursor });
      let lines = '';
      for (let page = await resumed.next(); page; page = await resumed.next()) lines += (await page.write()).lines;
      expect(lines).toBe(
        pages
          .slice(nth + 1)
          .map((page) => page.lines)
          .join(''),
      );
      expect(await resumed.end()).toMatchObject({ revision: end.revision, changed: false });
    }
  });
});

describe('between two pages', () => {
  it('one that was read and is left is read again, as it is by then, and nothing is counted twice', async () => {
    await newScope('left', ['a', 'b', 'c', 'd']);
    const begun = await begin('left', { include: 'documents' });
    const first = await begun.next();
    expect(idsOf(linesOf(`${(await first?.write())?.lines}`))).toEqual(['a', 'b']);
    const second = await begun.next();
    await remove('left', 'c');
    second?.leave();
    expect(idsOf(await rest(begun))).toEqual(['d']);
    expect(await begun.end()).toMatchObject({ counts: { documents: 3 }, changed: true });
  });

  it('what came before the start and is still there is shown once, and what came since is not', async () => {
    await newScope('moves', ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const begun = await begin('moves', { include: 'documents' });
    expect(idsOf(linesOf(`${(await (await begun.next())?.write())?.lines}`))).toEqual(['a', 'b']);
    await remove('moves', 'a');
    await remove('moves', 'd');
    await ingest('moves', 'new');
    expect(idsOf(await rest(begun))).toEqual(['c', 'e', 'f', 'g']);
    expect((await begun.end()).changed).toBe(true);
  });

  it('a newer version is shown in the place of the one that there was, though it came since', async () => {
    await newScope('versions', ['a', 'b', 'c', 'd', 'e']);
    const begun = await begin('versions', { include: 'documents,texts' });
    await begun.next();
    await ingest('versions', 'a', 'Again, of a line that is written.');
    await ingest('versions', 'd', 'Again.');
    await ingest('versions', 'd', 'And again.');
    const lines = await rest(begun);
    expect(lines.map(({ document_id, version, text }) => [document_id, version, text])).toEqual([
      ['c', 1, 'Acme Robotics has 1 employees.'],
      ['d', 3, 'And again.'],
      ['e', 1, 'Acme Robotics has 1 employees.'],
    ]);
  });

  it('of several versions before the start the last is shown, or the one that came since', async () => {
    await newScope('several', ['a', 'b', 'c']);
    await ingest('several', 'a', 'Second.');
    await ingest('several', 'b', 'Second.');
    const begun = await begin('several', { include: 'documents' });
    await ingest('several', 'b', 'Third.');
    const lines = await rest(begun);
    expect(lines.map(({ document_id, version }) => [document_id, version])).toEqual([
      ['c', 1],
      ['a', 2],
      ['b', 3],
    ]);
  });

  it('a document that was deleted and came again is a new one', async () => {
    await newScope('again', ['a', 'b', 'c']);
    const begun = await begin('again', { include: 'documents' });
    await begun.next();
    await remove('again', 'c');
    await ingest('again', 'c');
    expect(await rest(begun)).toEqual([]);
  });

  it('the scope may go, or be emptied, or be made again: nothing more of it is shown', async () => {
    const admin = { key: service.admin, tenantKey: tenant.key };
    for (const [scopeId, act] of [
      ['deleted', () => service.call('DELETE', '/admin/scopes/deleted', admin)],
      ['emptied', () => service.call('POST', '/admin/scopes/emptied/reset', admin)],
      [
        'remade',
        async () => {
          await service.call('DELETE', '/admin/scopes/remade', admin);
          await newScope('remade', ['x', 'y', 'z']);
        },
      ],
    ] as const) {
      await newScope(scopeId, ['a', 'b', 'c', 'd', 'e']);
      for (const include of ['documents', 'claims', 'facts', 'contradictions']) {
        if (include !== 'documents') await newScope(scopeId, ['a', 'b', 'c']);
        await service.call('POST', '/api/contradictions', {
          tenantId: tenant.tenantId,
          body: { scope_id: scopeId, claim_a: 'a', claim_b: 'b' },
        });
        const begun = await begin(scopeId, { include });
        const page = include === 'documents' ? await begun.next() : null;
        await act();
        await expect(begun.next()).rejects.toMatchObject({ code: 'not_found' });
        await expect(begun.end()).rejects.toMatchObject({ code: 'not_found' });
        if (page)
          await expect(begin(scopeId, { cursor: page.cursor })).rejects.toMatchObject({
            code: expect.stringMatching(/conflict|not_found/),
          });
        await service.call('DELETE', `/admin/scopes/${scopeId}`, admin);
      }
    }
  });
});

describe('changed', () => {
  it.each(['a document', 'a report', 'a decision', 'a deletion'])(
    'is true after %s, also before it was resumed',
    async (what) => {
      const scopeId = `changed-${what.split(' ')[1]}`;
      await newScope(scopeId, ['a', 'b', 'c']);
      const report = (claim_a: string) =>
        service.call('POST', '/api/contradictions', {
          tenantId: tenant.tenantId,
          body: { scope_id: scopeId, claim_a, claim_b: 'b' },
        });
      const { id } = (await report('first')).body;
      const begun = await begin(scopeId, { include: 'documents' });
      const { cursor } = (await begun.next()) as { cursor: string };
      expect((await begun.end()).changed).toBe(false);
      if (what === 'a document') await ingest(scopeId, 'new');
      if (what === 'a report') await report('second');
      if (what === 'a deletion') await remove(scopeId, 'a');
      if (what === 'a decision')
        await service.call('PATCH', `/api/contradictions/${id}`, {
          tenantKey: tenant.key,
          body: { status: 'resolved', resolution: 'r', resolved_by: 'me' },
        });
      expect((await begun.end()).changed).toBe(true);
      expect((await (await begin(scopeId, { cursor })).end()).changed).toBe(true);
    },
  );
});
