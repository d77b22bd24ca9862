/** The views, in the order of the menu. */
import { contradictions } from './contradictions.js';
import { documents } from './documents.js';
import { live } from './live.js';
import { now } from './now.js';
import { scopes } from './scopes.js';

export const views = { now, documents, scopes, contradictions, live };
