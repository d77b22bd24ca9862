/** Identifiers that nobody can guess. */
import { randomBytes, randomUUID } from 'node:crypto';

/** Lowercase letters and digits without those that are mistaken for each other: five bits each. */
export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');
}

export const newTenantId = () => `ten_${randomText(26)}`;
export const newScopeId = () => `scope-${randomText(20)}`;

/** Rises with time, so that its index grows at one end instead of everywhere; not a secret. */
export const newDocumentId = () => `doc_${Date.now().toString(32).padStart(9, '0')}${randomUUID().slice(-12)}`;
export const newContradictionId = () => `con_${randomText(26)}`;
