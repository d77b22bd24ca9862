/** Scopes of a tenant. */
import { Type } from '@sinclair/typebox';
import { NextCursor, ScopeId, Timestamp } from './common.ts';

const ScopeName = Type.String({ minLength: 1, maxLength: 500, examples: ['Contracts of 2026'] });

export const CreateScopeRequest = Type.Object(
  {
    scope_id: Type.Optional(ScopeId),
    name: Type.Optional(ScopeName),
  },
  {
    title: 'CreateScopeRequest',
    additionalProperties: false,
    description: 'All of it may be left out: an id is made, and the name is the id',
    examples: [{ scope_id: 'contracts-2026', name: 'Contracts of 2026' }],
  },
);

export const Scope = Type.Object(
  {
    scope_id: ScopeId,
    name: ScopeName,
    state: Type.Union([Type.Literal('running'), Type.Literal('paused'), Type.Literal('stopped')]),
    created_at: Timestamp,
  },
  { title: 'Scope' },
);

export const ScopeList = Type.Object({ scopes: Type.Array(Scope), next_cursor: NextCursor }, { title: 'ScopeList' });
