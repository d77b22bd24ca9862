/** The thread that runs the pipeline. */
import { pipeline } from './pipeline.ts';
import { inThread } from './thread.ts';

export default inThread(pipeline);
