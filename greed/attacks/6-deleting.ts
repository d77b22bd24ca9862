/** 6: a tenant with very many scopes is deleted. */
import { type Attack, inPieces } from '../attack.ts';
import { beginDeletion } from '../deletion.ts';

const scopesOf = (long: boolean) => (long ? 200_000 : 20_000);

export const deleting: Attack = {
  number: 6,
  name: 'deleting',
  parts: [
    {
      name: '',
      what: 'DELETE of a tenant with 20,000 scopes (200,000 in the long form)',
      async prepare({ deployment, tenant, long }) {
        await inPieces(scopesOf(long), 50_000, (from, to) =>
          deployment.ask(
            `insert into scopes (tenant_id, scope_id, name)
             select $1, 'scope-' || n, 'scope-' || n from generate_series($2::int, $3::int) n`,
            [tenant.id, from, to],
          ),
        );
      },
      async alongside(scene) {
        const complaints = beginDeletion(scene, `/admin/tenants/${scene.tenant.id}`);
        return async () => ({
          bites: { 'scopes to delete': scopesOf(scene.long) },
          complaints: await complaints(),
        });
      },
    },
  ],
};
