/** A pipeline that does nothing, so that what is around it can be seen. */
import { inThread } from '../../src/runtime/thread.ts';

export default inThread({
  read: () => ({
    reading: {
      claims: '{}',
      pieces: null,
      count: 0,
      keys: [],
      groups: [],
      values: [],
      labels: [],
      sketch: null,
      warnings: [],
    },
    claims: null,
  }),
  decode: () => null,
  compare: () => [],
});
