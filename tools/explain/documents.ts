/** The two documents that are to be explained: two files, or two documents of a running service. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { readClientKeys } from '../../src/config.ts';
import { StartError } from '../../src/errors.ts';
import { type Document, readSource } from '../eval/read.ts';

/** A service that answers nothing for so long is not there. */
const TIMEOUT_MS = 30_000;

export function readFile(file: string): Document {
  try {
    const text = readFileSync(file, 'utf8');
    return readSource({ name: file, type: extname(file).slice(1) || 'txt', text });
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** What is asked for, or what is wrong. */
interface Body {
  name?: string;
  type?: string;
  text?: string | null;
  detail?: string;
}

/** Its newest version, read by the rules of this copy of the project. */
export async function readStored(id: string, scope: string, url: string): Promise<Document> {
  const { tenantKey } = readClientKeys();
  if (!tenantKey) throw new StartError('DOCKET_TENANT_KEY is not set, which --scope needs');
  const ask = async (part: string): Promise<Body> => {
    const path = `/api/documents/${encodeURIComponent(id)}${part}?scope_id=${encodeURIComponent(scope)}`;
    const answer = await fetch(url + path, {
      headers: { 'x-tenant-api-key': tenantKey },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: Error) => {
      throw new StartError(`${url} does not answer: ${error.message}`);
    });
    const body = (await answer.json().catch(() => null)) as Body | null;
    if (!answer.ok || !body)
      throw new StartError(`document '${id}' of scope '${scope}': ${answer.status} ${body?.detail ?? ''}`);
    return body;
  };
  // The name says which edition it is.
  const { name = id } = await ask('');
  const { type = 'txt', text } = await ask('/text');
  if (typeof text !== 'string') throw new StartError(`document '${id}' has no text: it is an entry of a register`);
  return readSource({ name, type, text });
}
