/** The values of facts, and what they are limited to, in words. */

/** When, where and under which condition it holds, and of which part. */
export const qualified = (qualifiers) => Object.values(qualifiers).filter(Boolean).join(', ');

export const valueText = ({ value, polarity }) =>
  polarity === 'denied' && value.type !== 'boolean' ? `not ${value.text}` : value.text;
