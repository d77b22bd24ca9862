/** The thread that runs the pipeline. */
import { readDocument } from '../pipeline/read.ts';
import { readInThread } from './thread.ts';

/** Only what is kept goes back: a copy of every sentence would cost more than reading them. */
export default readInThread((document) => {
  const { characters, sentences } = readDocument(document);
  return { characters, sentences: sentences.length };
});
