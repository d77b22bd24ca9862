/** Whether lanes may run: states and transitions at three levels, each looking only at its own state. */
import type { RuntimeState } from '../contract/runtime.ts';
import { AppError, notFound } from '../errors.ts';
import { appendEvents } from '../events/log.ts';
import type { Database } from '../storage/database.ts';
import { findStatesForUpdate, type Level, type LevelStates, updateState } from '../storage/runtime.ts';
import { nameOfActor } from './actor.ts';
import { type Deed, noteDeeds } from './audit.ts';

export type { Level } from '../storage/runtime.ts';

export type RuntimeAction = 'start' | 'pause' | 'resume' | 'stop' | 'restart';

/** Whose doing it is, and why it is done. */
export interface RuntimeOrder {
  deed: Deed;
  reason: string | null;
}

export interface RuntimeChange {
  state: RuntimeState;
  previous_state: RuntimeState;
  changed: boolean;
  effective_state: RuntimeState;
}

const LEADS_TO = { start: 'running', pause: 'paused', resume: 'running', stop: 'stopped', restart: 'running' } as const;
export const HAPPENED = {
  start: 'started',
  pause: 'paused',
  resume: 'resumed',
  stop: 'stopped',
  restart: 'restarted',
} as const;
const STRICTNESS: RuntimeState[] = ['running', 'paused', 'stopped'];

export function strictest(states: (RuntimeState | null)[]): RuntimeState {
  return STRICTNESS[Math.max(...states.map((state) => STRICTNESS.indexOf(state ?? 'running')))] as RuntimeState;
}

export function changeRuntime(
  db: Database,
  level: Level,
  action: RuntimeAction,
  { deed, reason }: RuntimeOrder,
): Promise<RuntimeChange> {
  const by = nameOfActor(deed.actor);
  return db.transaction(async (tx) => {
    const states = await findStatesForUpdate(tx, level);
    if (!states) throw notFound(level.scopeId === null ? `Tenant ${level.tenantId}` : `Scope ${level.scopeId}`);
    const name = nameOf(level);
    const previous = states[name] as RuntimeState;
    if (previous === 'stopped' && (action === 'pause' || action === 'resume')) {
      throw new AppError('conflict', `The ${name} is stopped, so it cannot ${action}; start it first.`);
    }
    const state = LEADS_TO[action];
    const changed = state !== previous || action === 'restart';
    if (changed) {
      await updateState(tx, level, state, { by, reason }, action === 'restart');
      const after = { state, ...(reason !== null && { reason }) };
      const of = { tenant_id: level.tenantId, scope_id: level.scopeId };
      await noteDeeds(tx, deed, { action: `runtime.${HAPPENED[action]}`, ...of, before: { state: previous }, after });
      await appendEvents(tx, [
        {
          type: `runtime.${HAPPENED[action]}`,
          tenant_id: level.tenantId,
          scope_id: level.scopeId,
          payload: { level: name, previous_state: previous, by, ...(reason !== null && { reason }) },
        },
      ]);
    }
    const now: LevelStates = { ...states, [name]: state };
    return {
      state,
      previous_state: previous,
      changed,
      effective_state: strictest([now.runtime, now.tenant, now.scope]),
    };
  });
}

export function nameOf({ tenantId, scopeId }: Level): keyof LevelStates {
  return tenantId === null ? 'runtime' : scopeId === null ? 'tenant' : 'scope';
}
