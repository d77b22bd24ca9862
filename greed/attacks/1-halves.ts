/** 1: documents that contradict each other in sentences and labels which the pipeline's limits cut through an emoji, and a NUL in a key. */
import { firmName, state } from '../../storm/texts.ts';
import { sleep } from '../../storm/waiting.ts';
import type { Attack, Scene } from '../attack.ts';
import { Line, requestOf } from '../line.ts';

const SCOPES = 40;
const EVERY_MS = 1000;
const MAX_BATCHES = 120;
/** Where sentences and labels are cut. */
const SENTENCE = 500;
const LABEL = 80;

/** Two for each scope that cannot both be true, in three ways by turns. */
function documents(round: number) {
  return Array.from({ length: SCOPES }, (_, n) =>
    [1000, 2000].map((employees) => ({
      scope_id: `halves-${n}`,
      name: `half ${round} ${n}`,
      ...[sentence, label, key][n % 3]?.(firmName(round * SCOPES + n), employees),
    })),
  ).flat();
}

function sentence(firm: string, employees: number) {
  const begin = state(firm, employees).text.replace(/\.$/, ' (');
  return { type: 'txt', text: `${begin.padEnd(SENTENCE - 1, 'a ')}😀 here).` };
}

function label(firm: string, employees: number) {
  return { type: 'json', text: JSON.stringify([{ name: `${firm.padEnd(LABEL - 1, 'b')}😀x`, employees }]) };
}

function key(firm: string, employees: number) {
  return { type: 'json', text: JSON.stringify([{ name: firm, 'employees\0': employees }]) };
}

export const halves: Attack = {
  number: 1,
  name: 'halves',
  parts: [
    {
      name: '',
      what: 'batches of 80 documents in 40 scopes whose emoji are cut in half, and keys with a NUL',
      async strike({ url, tenant }, isOver) {
        const line = new Line(url);
        let batches = 0;
        for (let n = 0; n < MAX_BATCHES && !isOver(); n++) {
          const body = JSON.stringify({ documents: documents(n) });
          const request = requestOf({ path: '/api/ingest/batch', headers: { 'X-Tenant-ID': tenant.id }, body });
          if ((await line.ask(request)).status === 202) batches++;
          await sleep(EVERY_MS);
        }
        line.close();
        return { batches };
      },
      async alongside(scene) {
        const crashesBefore = await crashes(scene);
        return async () => {
          const crashed = (await crashes(scene)) - crashesBefore;
          const [row] = await scene.deployment.ask(
            `select coalesce(sum(failed), 0)::int as failed, coalesce(sum(contradictions_open), 0)::int as contradictions
               from scopes where tenant_id = $1`,
            [scene.tenant.id],
          );
          const complaints = [];
          if (crashed > 0) complaints.push(`workers crashed ${crashed} times`);
          if (row.failed > 0) complaints.push(`${row.failed} documents failed`);
          return { bites: { 'contradictions or crashes': row.contradictions + crashed }, complaints };
        };
      },
    },
  ],
};

async function crashes({ deployment }: Scene): Promise<number> {
  const [row] = await deployment.ask("select count(*)::int as n from events where type = 'worker.crashed'");
  return row.n;
}
