/** What the log says of documents that have failed. */
import { expect, it } from 'vitest';
import { startTestKernel } from '../support/kernel.ts';
import { until } from '../support/until.ts';

it('a document that has failed for good is one warning in the log, with nothing of its text', async () => {
  const kernel = await startTestKernel({ settings: () => ({}) }, { DOCUMENT_ATTEMPTS: '2' });
  const one = await kernel.newTenant();
  const lines = (documentId: string) =>
    kernel
      .logged()
      .split('\n')
      .filter((line) => line.includes(`"document_id":"${documentId}"`))
      .map((line) => JSON.parse(line));
  await kernel.ingest(one, 'logged', 'throw secret-words', { document_id: 'thrown' });
  await kernel.ingest(one, 'logged', 'exit', { document_id: 'ended' });
  await kernel.ingest(one, 'logged', 'refuse', { document_id: 'refused' });
  await until(
    () => kernel.summary(one, 'logged'),
    ({ documents }) => documents.failed === 3,
  );
  const where = { level: 40, tenant_id: one.tenantId, scope_id: 'logged', version: 1, msg: 'a document has failed' };
  for (const [documentId, error] of Object.entries({
    thrown: 'It threw an error, which may quote its text: the record of the document has it.',
    ended: 'Reading it ended its thread.',
    refused: 'Postgres refused what was found in it (22P05).',
  })) {
    // It is written after the commit that the summary shows.
    await until(
      () => lines(documentId).length,
      (n) => n > 0,
    );
    expect(lines(documentId)).toMatchObject([{ ...where, document_id: documentId, error }]);
  }
  expect(kernel.logged()).not.toContain('secret-words');
});
