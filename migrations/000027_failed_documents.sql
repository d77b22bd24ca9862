-- Operators find what has failed in all tenants, by when and by why.
create index documents_failed on documents (finished_at, scope_key, generation, seq) where state = 'failed';
create index documents_failed_by_error on documents
  (left(coalesce(error, ''), 50) collate "C", finished_at, scope_key, generation, seq) where state = 'failed';
