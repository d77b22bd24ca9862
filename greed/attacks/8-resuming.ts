/** 8: streams that are resumed from the beginning of a long log, for a type of event that is hardly ever there. */
import { connect } from 'node:net';
import { sleep } from '../../storm/waiting.ts';
import { type Attack, inPieces } from '../attack.ts';
import { inLoops } from '../flood.ts';
import { requestOf } from '../line.ts';

const SCOPE = 'long-log';
const STREAMS = 60;
/** A reader that was answered stays for so long, and comes again. */
const STAY_MS = 500;
const ANSWER_MS = 30_000;
const QUERY = 'types=scope.reopened&last_event_id=0';

const eventsOf = (long: boolean) => (long ? 500_000 : 50_000);

export const resuming: Attack = {
  number: 8,
  name: 'resuming',
  parts: [
    {
      name: '',
      what: `${STREAMS} streams at once from 0 with a rare type, over 50,000 events (500,000 in the long form)`,
      async prepare({ deployment, tenant, long }) {
        await deployment.ask('insert into scopes (tenant_id, scope_id, name) values ($1, $2, $2)', [tenant.id, SCOPE]);
        // Under the lock that gives ids their order: the service reads the log meanwhile.
        await inPieces(eventsOf(long), 50_000, (from, to) =>
          deployment.ask(
            `with locked as materialized (select lock_events())
             insert into events (type, tenant_id, scope_id, payload)
             select 'document.queued', $1, $2, json_build_object('document_id', 'doc-' || n, 'version', 1, 'seq', n)
               from locked cross join generate_series($3::int, $4::int) n`,
            [tenant.id, SCOPE, from, to],
          ),
        );
      },
      async strike({ url, tenant, admin, internals }, isOver) {
        // Every third reads the whole log, the others that of the scope.
        const scope = requestOf({
          path: `/admin/scopes/${SCOPE}/events?${QUERY}`,
          headers: { Authorization: `Bearer ${admin}`, 'X-Tenant-API-Key': tenant.key },
        });
        const kernel = requestOf({
          path: `/internals/kernel/events?${QUERY}`,
          headers: { Authorization: `Bearer ${internals}` },
        });
        const answers = await inLoops(STREAMS, isOver, (_, n) => stay(url, n % 3 === 0 ? kernel : scope, isOver));
        return { 'streams resumed': answers.filter(({ status }) => status === 200).length };
      },
    },
  ],
};

async function stay(url: string, request: Buffer, isOver: () => boolean): Promise<{ status: number }> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let status: number | null = null;
  socket.on('error', () => {});
  socket.once('close', () => {
    status ??= 0;
  });
  socket.on('data', (data) => {
    status ??= Number(data.toString('latin1', 9, 12));
  });
  socket.write(request);
  for (let end = performance.now() + ANSWER_MS; status === null && !isOver() && performance.now() < end; )
    await sleep(20);
  await sleep(STAY_MS);
  socket.destroy();
  return { status: status ?? 0 };
}
