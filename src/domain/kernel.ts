/** The kernel as the routes see it: one object, passed in. What is behind it is in `runtime`. */
import type { Static } from '@sinclair/typebox';
import type { ControlPlaneHealth, HatcherySnapshot, KernelHealth } from '../contract/kernel.ts';
import type { RuntimeAnswer } from '../contract/runtime.ts';
import type { Level, RuntimeAction, RuntimeOrder } from './runtime.ts';

export interface Kernel {
  /** Answers when this node has drained, or after 10 s. */
  control(level: Level, action: RuntimeAction, order: RuntimeOrder): Promise<Static<typeof RuntimeAnswer>>;
  /** Told after documents were queued, and which lanes have work now that had none. */
  arrived(documents: number, awakened: { tenant_id: string; scope_id: string }[]): void;
  snapshot(): Promise<Static<typeof HatcherySnapshot>>;
  /** This and the next ones wait for Postgres for 2 s at most, less what their caller has waited already. */
  health(waitedMs: number): Promise<Static<typeof KernelHealth>>;
  /** Why this node could do no work if there were any; null when it could. */
  whyIdle(): Promise<string | null>;
  controlPlaneHealth(waitedMs: number): Promise<Static<typeof ControlPlaneHealth>>;
  /** For Prometheus. */
  metrics(waitedMs: number): Promise<{ contentType: string; text: string }>;
}
