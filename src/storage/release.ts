/** Which release this is: a database tells by it which one has changed it last, since two of them run beside each other. */

/** One more than that of the commit in .ci/previous-release; npm run check sees to that. 0.1.0 and what followed it had none: 1. */
export const RELEASE = 12;
