/** Figures in the text format of Prometheus. */
import { Histogram } from './histogram.ts';

/** Such a figure is read from the database: each replica tells the same, and to add them up would be wrong. */
export const WHOLE_SERVICE = 'Of the whole service, the same on every replica';

export interface Family {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: Sample[];
}

export interface Sample {
  labels?: Record<string, string>;
  value: number | Histogram;
}

/** Of a family without samples nothing is said, since nothing is known. */
export function toText(families: Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.flatMap(({ labels = {}, value }) =>
        value instanceof Histogram ? histogramLines(name, labels, value) : [line(name, labels, value)],
      );
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

function histogramLines(name: string, labels: Record<string, string>, { bounds, counts, sum }: Histogram): string[] {
  let upTo = 0;
  const buckets = [...counts].map((count, at) => {
    upTo += count;
    return line(`${name}_bucket`, { ...labels, le: at < bounds.length ? `${bounds[at]}` : '+Inf' }, upTo);
  });
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, upTo)];
}

function line(name: string, labels: Record<string, string>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
