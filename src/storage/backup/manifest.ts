/** The first entry of each of our archives says what is in it, so that a file is not taken for what it is not. */
import { CONTRACT_VERSION } from '../../contract/version.ts';
import { StartError } from '../../errors.ts';
import { RELEASE } from '../release.ts';
import { type TarEntry, tarFile } from './tar.ts';

/** Ours are in a folder of their own: a cluster has none of this name. */
export const OURS = 'docket/';
const NAME = `${OURS}manifest.json`;
/** It may say of itself that it is larger; nobody reads that. */
const MAX_BYTES = 1_000_000;
/** Files of another format are for another release. */
const FORMAT = 1;

export type Kind = 'backup' | 'dump';

export interface Manifest {
  format: number;
  kind: Kind;
  made_at: string;
  /** The release that made it, with its version of the API. */
  release: string;
  /** The major version of the Postgres that it is of. */
  postgres: number;
  /** The kind of machine, for files that only the same kind reads. */
  platform: string;
}

export const PLATFORM = `${process.platform}-${process.arch}`;

export function manifestFile<More extends object>(kind: Kind, postgres: number, more: More): Buffer {
  const manifest: Manifest & More = {
    format: FORMAT,
    kind,
    made_at: new Date().toISOString(),
    release: `${RELEASE} (${CONTRACT_VERSION})`,
    postgres,
    platform: PLATFORM,
    ...more,
  };
  return tarFile(NAME, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
}

/** Of the first entry of an archive, which has to be of this kind. */
export async function readManifest<More extends object>(
  entries: AsyncGenerator<TarEntry>,
  kind: Kind,
): Promise<Manifest & More> {
  const { value: entry } = await entries.next();
  if (!entry || entry.name !== NAME) throw new StartError('it is an archive, and not one of ours.');
  const manifest = JSON.parse((await readWhole(entry)).toString()) as Manifest & More;
  if (manifest.format !== FORMAT)
    throw new StartError(`it was made by release ${manifest.release} in a format that this one does not know.`);
  if (manifest.kind !== kind)
    throw new StartError(
      manifest.kind === 'dump' ? 'it is a dump: npm run load takes it.' : 'it is a backup: npm run restore takes it.',
    );
  return manifest;
}

/** For entries that are small. */
export async function readWhole(entry: TarEntry): Promise<Buffer> {
  if (entry.size > MAX_BYTES) throw new StartError(`${entry.name} in the archive is larger than any that we make.`);
  return Buffer.concat(await Array.fromAsync(entry.content));
}
