/** What can go wrong with a file, or with Postgres in the middle of some work, in words for whoever began it. */
import { dirname } from 'node:path';
import pg from 'pg';
import { StartError } from '../../errors.ts';

/** An error of another kind comes back as it is. */
export function explainFile(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const words: Record<string, string> = {
    ENOENT: `there is no ${path}`,
    ENOTDIR: `there is no folder ${dirname(path)}`,
    EACCES: `${path} may not be read or written by this user`,
    EPERM: `${path} may not be read or written by this user`,
    EROFS: `${dirname(path)} is on a disk that may not be written to`,
    EISDIR: `${path} is a folder: name a file`,
    ENOSPC: `the disk of ${dirname(path)} is full`,
    EDQUOT: `the quota of the disk of ${dirname(path)} is used up`,
    EFBIG: `${path} is larger than its disk allows`,
  };
  const said = code === undefined ? undefined : words[code];
  return said === undefined || error instanceof StartError ? error : new StartError(`${said}.`, { cause: error });
}

/** What Postgres objects to, and a connection that broke, in the middle of some work. */
export function explainPostgres(error: unknown, work: string): unknown {
  const { code = '', message } = error as { code?: string; message: string };
  if (/^(57P|ECONN|EPIPE)/.test(code) || message.startsWith('Connection terminated'))
    return new StartError(`Postgres ended before the ${work} was done (${message}). Begin again.`, { cause: error });
  if (code === '55P03')
    return new StartError(
      `the ${work} has waited too long for others at this database: an upgrade, a start or a load. Begin again when they are done.`,
      { cause: error },
    );
  if (error instanceof pg.DatabaseError)
    return new StartError(`the ${work} failed, since Postgres says: ${message}.`, { cause: error });
  return error;
}
