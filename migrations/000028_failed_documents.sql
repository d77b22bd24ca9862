-- Operators find what has failed in all tenants, by when.
create index documents_failed on documents (finished_at, scope_key, generation, seq) where state = 'failed';
