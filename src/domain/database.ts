/** What the verbs of this room work on; the rooms above name it without reaching into storage. */
export type { Copyable, Database, Queryable } from '../storage/database.ts';
