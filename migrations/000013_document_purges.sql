-- A document with very many versions is deleted at once, and those that a newer one had superseded are purged afterwards.
create table document_purges (
  scope_key     bigint not null,
  generation    int not null,
  document_id   text not null,
  from_version  int not null,
  up_to_version int not null,
  since         timestamptz not null default now(),
  primary key (scope_key, generation, document_id)
);
