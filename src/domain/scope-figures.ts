/** What is known of a scope at a glance: its summary and its metrics. Reads that stay flat as the scope grows. */
import { notFound } from '../errors.ts';
import { RULES } from '../pipeline/claim.ts';
import { findConvergence } from '../storage/convergence.ts';
import type { Queryable } from '../storage/database.ts';
import * as storage from '../storage/scope-figures.ts';
import { type Convergence, trendOf } from './convergence.ts';
import { percentilesOf, sumHistograms } from './histogram.ts';
import { strictest } from './runtime.ts';

export async function summariseScope(db: Queryable, tenantId: string, scopeId: string, convergence: Convergence) {
  const figures = await storage.findScopeFigures(db, tenantId, scopeId);
  // After it, not beside it: whoever waits for a document to be processed sees in the same answer what came of it.
  const measured = await findConvergence(db, { tenant_id: tenantId, scope_id: scopeId });
  if (!figures || !measured) throw notFound(`Scope ${scopeId}`);
  const { scope_id, name, created_at, last_seq, settled_through, in_work, processed, failed, superseded } = figures;
  const pending = figures.registered + figures.pending;
  const queued = figures.queued + figures.retrying - in_work;
  return {
    scope: { scope_id, name, created_at },
    documents: {
      total: pending + queued + in_work + processed + failed + superseded,
      pending,
      queued,
      processing: in_work,
      processed,
      failed,
      superseded,
    },
    last_seq,
    settled_through,
    claims: { total: measured.claims, groups: measured.groups },
    contradictions: {
      open: figures.contradictions_open,
      resolved: figures.contradictions_resolved,
      deferred: figures.contradictions_deferred,
      left_out: figures.contradictions_left_out,
    },
    convergence: convergence.show(measured),
    rules: rulesOf(figures),
    runtime: {
      state: figures.scope,
      effective_state: strictest([figures.runtime, figures.tenant, figures.scope]),
    },
  };
}

/** A scope that has nothing to be read again has been read by the rules in force. */
function rulesOf({ processed, rules, reread_from }: storage.ScopeFigures) {
  const applied = processed > 0 ? rules : RULES;
  return { in_force: RULES, applied, reread_up_to: applied < RULES && reread_from > 0 ? reread_from - 1 : null };
}

export async function measureScope(db: Queryable, tenantId: string, scopeId: string) {
  const [found, convergence] = await Promise.all([
    storage.findScopeWindow(db, tenantId, scopeId),
    trendOf(db, tenantId, scopeId),
  ]);
  if (!found || !convergence) throw notFound(`Scope ${scopeId}`);
  const { slots } = found;
  const seconds = Math.max(1, (Date.parse(found.to) - Date.parse(found.from)) / 1000);
  const sum = (name: 'processed' | 'failed' | 'retried') => slots.reduce((all, slot) => all + slot[name], 0);
  const latency = (name: 'waiting' | 'processing' | 'total') =>
    percentilesOf(sumHistograms(slots.map((slot) => slot[name])));
  return {
    window: { from: found.from, to: found.to, seconds },
    documents: {
      accepted: found.accepted,
      processed: sum('processed'),
      failed: sum('failed'),
      retried: sum('retried'),
    },
    throughput_per_minute: Math.round((sum('processed') / seconds) * 60 * 100) / 100,
    latency_ms: { waiting: latency('waiting'), processing: latency('processing'), total: latency('total') },
    backlog: { queued: found.queued, oldest_age_ms: found.oldest_age_ms },
    convergence,
  };
}
