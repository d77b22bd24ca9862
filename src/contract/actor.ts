/** Who did something, as it is told to operators: by a key's public name, and never by the key. */
import { type Static, Type } from '@sinclair/typebox';
import { KeyPrefix, Nullable } from './common.ts';

export const Actor = Type.Object(
  {
    kind: Type.Union(
      [
        Type.Literal('operator'),
        Type.Literal('tenant'),
        Type.Literal('bootstrap'),
        Type.Literal('command line'),
        Type.Literal('service'),
      ],
      { examples: ['operator'] },
    ),
    key_prefix: Nullable(KeyPrefix),
    label: Nullable(Type.String({ examples: ['on call'] })),
  },
  { title: 'Actor', description: 'Whose key it was; one of the environment has no prefix, and its setting as label' },
);
export type Actor = Static<typeof Actor>;
