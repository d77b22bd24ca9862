/** Reads one document: what a worker thread does before claims are taken from it. */
import { normalise, type SourceText } from './normalise.ts';
import type { Normalised } from './plain-text.ts';
import { type Sentence, segment } from './segment.ts';

/** Plain data, so that it can be handed from one thread to another. */
export interface Reading extends Normalised {
  name: string;
  /** Of the original, in UTF-16 units. */
  characters: number;
  sentences: Sentence[];
}

export function readDocument(document: SourceText): Reading {
  const normalised = normalise(document);
  return { name: document.name, characters: document.text.length, ...normalised, sentences: segment(normalised) };
}
