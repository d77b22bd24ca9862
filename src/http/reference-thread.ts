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
const [page, script] = [await app.inject('/docs/'), await app.inject('/docs/js/scalar.js')];
parentPort?.postMessage({ page: page.rawPayload, script: script.rawPayload });
