import { describe, expect, it } from 'vitest';
import { polarityOf } from '../../../src/pipeline/extract/polarity.ts';
import { tokenise } from '../../../src/pipeline/extract/tokens.ts';

const isDenied = (clause: string) => polarityOf(tokenise(clause)).isDenied;

describe('polarityOf', () => {
  it.each([
    'The plant is not open.',
    "The plant isn't open.",
    'The plant never closed.',
    'The plant has no boiler.',
    'None of the boilers work.',
    'Neither boiler works.',
    'It ran without a permit.',
    'The firm failed to pay.',
    'The firm refused to pay.',
    'The firm was unable to pay.',
    'The plant lacks a boiler.',
    'The work is yet to begin.',
    'The plant cannot close.',
    'The plant is "not open".',
    'The "north" gate is not "south".',
    'The plan was "not approved" and "sent back".',
    'The plan was "sent back" and "not approved".',
    'The board called it "not ready" and "too long".',
    '"It was not approved," said Ann Hill, "and came back."',
  ])('%s denies', (clause) => {
    expect(isDenied(clause)).toBe(true);
  });

  it.each([
    'The plant is open.',
    'No, the plant is open.',
    'It is flight No. 5 to Rome.',
    'It is not only large.',
    'It did not open until 2008.',
    'It has no more than 20 seats.',
    'It did not fail to pay.',
    'There is little to no risk.',
    'The rate declines to 7.8%.',
    'The key words "MUST", "MUST NOT" and "MAY" are those of RFC 2119.',
    'The words “no” and “never” are common.',
    'The allowed values "yes", "no" and "not known" are given below.',
  ])('%s does not', (clause) => {
    expect(isDenied(clause)).toBe(false);
  });
});
