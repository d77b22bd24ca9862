/** What docs/operating.md gives to Kubernetes is YAML, and every setting, route and time in it is one of ours. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { settings } from '../../src/settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests are walked as the plain JSON that they are.
type Json = any;

/** The time that a shutdown may take at most, after its delay. */
const SHUTDOWN_S = 10;

const [, text = ''] = /\n```yaml\n([\s\S]*?)\n```\n/.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
const documents = parseAllDocuments(text);
const manifests: Json[] = documents.map((document) => document.toJS());
const ofKind = (wanted: string): Json[] => manifests.filter(({ kind }) => kind === wanted);
const deployments = ofKind('Deployment');
const secret = ofKind('Secret')[0];

it('is YAML, of two deployments, their secret and a service', () => {
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Secret docket',
    'Deployment docket-api',
    'Deployment docket-worker',
    'Service docket',
  ]);
});

describe.each(deployments.map((deployment): [string, Json] => [deployment.metadata.name, deployment]))(
  '%s',
  (_name, { spec }) => {
    const pod = spec.template.spec;
    const [container] = pod.containers;
    const env: Record<string, string> = {
      ...secret.stringData,
      ...Object.fromEntries(container.env.map(({ name, value }: Json) => [name, value])),
    };

    it('has settings that exist, with values that the service takes', () => {
      expect(Object.keys(env).filter((name) => !(name in settings.properties))).toEqual([]);
      for (const value of Object.values(env)) expect(typeof value).toBe('string');
      expect(readConfig(env).ROLE).toBe(env.ROLE);
      expect(container.envFrom).toEqual([{ secretRef: { name: secret.metadata.name } }]);
    });

    it('leaves a process the time to end, and its delay', () => {
      const { DRAIN_DELAY_MS } = readConfig(env);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_DELAY_MS / 1000 + SHUTDOWN_S);
    });

    it('is probed at its port, and restarted for nothing but silence', () => {
      const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => container[name].httpGet);
      expect(paths).toEqual(['/livez', '/livez', '/readyz'].map((path) => ({ path, port: 'http' })));
      expect(container.ports).toEqual([{ name: 'http', containerPort: settings.properties.PORT.default }]);
    });

    it('selects its own pods', () => {
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    });
  },
);

it('leads the service to those who accept', () => {
  const { spec } = ofKind('Service')[0];
  expect(spec.selector).toEqual(deployments[0].spec.template.metadata.labels);
  expect(spec.ports[0].targetPort).toBe('http');
});
