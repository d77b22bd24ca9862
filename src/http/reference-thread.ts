/** The thread that makes the page of /docs: hands over its bytes and those of its script, and ends. */
import { parentPort } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

const app = Fastify();
await app.register(scalar, {
  routePrefix: '/docs',
  configuration: {
    url: '/openapi.json',
    // The rest turns off what calls home or sells something.
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  },
});
async function bytesOf(path: string): Promise<Buffer> {
  const { statusCode, rawPayload } = await app.inject(path);
  // It would be kept and shown for good.
  if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}`);
  return rawPayload;
}

parentPort?.postMessage({ page: await bytesOf('/docs/'), script: await bytesOf('/docs/js/scalar.js') });
