/** Notices that the database lacks what this process asks it for, and when it has it again: another release has migrated it. */
import pg from 'pg';
import { isUnavailable } from '../errors.ts';

/** An undefined function, column or table. */
const MISSING = /^(42883|42703|42P01)$/;

export const OTHER_SCHEMA =
  'The database has another schema than this release works with: deploy here, too, the release that has migrated it.';

export function isMissing(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && MISSING.test(error.code ?? '');
}

/** Whoever wants to know may ask for each request and each batch. */
const REMEMBER_MS = 500;
/**
 * What is missing within a function shows only when that is called: so long after it was, it may be tried again. And what is missing
 * though nobody has migrated the database is the fault of one statement, which says nothing of all the others for longer.
 */
const GIVEN_UP_MS = 10_000;
/** All that was ever applied to the database. */
const LEDGER = `select md5(string_agg(name || sha256, ' ' order by name)) as ledger
  from (select name, sha256 from schema_versions union all select name, sha256 from schema_files) applied`;
const PROBE = 'prepare docket_probe as ';

/** Of a database, which itself knows this. */
interface Asked {
  query(sql: string): Promise<{ rows: unknown[] }>;
}

interface Lack {
  sql: string;
  isWithinFunction: boolean;
  at: number;
}

export class SchemaWatch {
  readonly #givenUpMs: number;
  readonly #now: () => number;
  #ledger: Promise<string | null> = Promise.resolve(null);
  #lack: Lack | null = null;
  #asked = Number.NEGATIVE_INFINITY;
  #answer: Promise<string | null> = Promise.resolve(null);

  constructor(givenUpMs = GIVEN_UP_MS, now = () => performance.now()) {
    this.#givenUpMs = givenUpMs;
    this.#now = now;
  }

  /** What was applied to the database when this process began to work with it. */
  remember(db: Asked): void {
    this.#ledger = readLedger(db);
  }

  note(sql: string, { where }: pg.DatabaseError): void {
    if (sql === LEDGER || sql.startsWith(PROBE)) return;
    this.#lack = { sql, isWithinFunction: where !== undefined, at: this.#now() };
  }

  /** Why the database cannot be worked with; null as long as nothing was missing, and when it is there again. */
  whyUnfit(db: Asked): Promise<string | null> {
    if (!this.#lack) return Promise.resolve(null);
    const now = this.#now();
    if (now - this.#asked > REMEMBER_MS) {
      this.#asked = now;
      this.#answer = this.#look(db, this.#lack);
    }
    return this.#answer;
  }

  async #look(db: Asked, lack: Lack): Promise<string | null> {
    const isRecent = this.#now() - lack.at < this.#givenUpMs;
    const isStill = lack.isWithinFunction
      ? isRecent
      : (await isRefused(db, lack.sql)) && (isRecent || (await this.#isMigrated(db)));
    if (!isStill && this.#lack === lack) this.#lack = null;
    return this.#lack ? OTHER_SCHEMA : null;
  }

  /** Whether another release has, since; it may have when that cannot be told. */
  async #isMigrated(db: Asked): Promise<boolean> {
    const [before, now] = [await this.#ledger, await readLedger(db)];
    return before === null || before !== now;
  }
}

/** Null when it cannot be read. */
function readLedger(db: Asked): Promise<string | null> {
  return db.query(LEDGER).then(
    ({ rows }) => (rows[0] as { ledger: string }).ledger,
    () => null,
  );
}

/** Has a statement understood, which names all that it needs, and not carried out. */
async function isRefused(db: Asked, sql: string): Promise<boolean> {
  return db.query(`${PROBE}${sql}\n; deallocate docket_probe`).then(
    () => false,
    // What else may be wrong with it is not for us to say.
    isUnavailable,
  );
}
