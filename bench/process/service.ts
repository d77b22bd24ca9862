/** The real service as a process of its own, with the pipeline that is asked for. Its settings are its environment. */
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startService } from '../../src/wire.ts';

const [pipeline] = process.argv.slice(2);

const config = readConfig();
const log = createLog(config.LOG_LEVEL);
const service = await startService(config, log, pipeline ? new URL(pipeline) : undefined);
process.on('disconnect', () => void service.close().finally(() => process.exit()));
process.send?.({ url: service.url });
