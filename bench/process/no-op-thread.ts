/** A pipeline that does nothing, so that what is around it can be seen. */
import { readInThread } from '../../src/runtime/thread.ts';

export default readInThread(() => null);
