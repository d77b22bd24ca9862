-- The same by why: in a file of its own, since each index reads the whole table while nobody writes to it.
create index documents_failed_by_error on documents
  (left(coalesce(error, ''), 50) collate "C", finished_at, scope_key, generation, seq) where state = 'failed';
