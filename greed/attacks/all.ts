/** Every attack, in the order in which they were thought of. */
import type { Attack } from '../attack.ts';
import { halves } from './1-halves.ts';
import { unread } from './2-unread.ts';
import { shapes } from './3-shapes.ts';
import { accepting } from './4-accepting.ts';
import { locked } from './5-locked.ts';
import { deleting } from './6-deleting.ts';
import { extractor } from './7-extractor.ts';
import { resuming } from './8-resuming.ts';
import { large } from './9-large.ts';
import { streams } from './10-streams.ts';

export const attacks: Attack[] = [
  ...[halves, unread, shapes, accepting, locked],
  ...[deleting, extractor, resuming, large, streams],
];
