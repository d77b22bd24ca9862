-- Contradictions are listed by their severity, their subject and their documents, page by page in order.
drop index contradictions_by_status, contradictions_critical;
create index contradictions_by_severity on contradictions (scope_key, generation, severity, status, ordinal)
  where status <> 'left_out';
create index contradictions_by_subject on contradictions (scope_key, generation, hashtextextended(subject, 0), ordinal)
  where status <> 'left_out' and subject is not null;
create index contradictions_by_document_a on contradictions (scope_key, generation, hashtextextended(document_a, 0), ordinal)
  where status <> 'left_out' and origin = 'detected';
create index contradictions_by_document_b on contradictions (scope_key, generation, hashtextextended(document_b, 0), ordinal)
  where status <> 'left_out' and origin = 'detected';
create table report_documents (
  scope_key     bigint not null,
  generation    int not null,
  document_hash bigint not null,
  ordinal       bigint not null,
  primary key (scope_key, generation, document_hash, ordinal)
);
insert into report_documents (scope_key, generation, document_hash, ordinal)
select distinct scope_key, generation, hashtextextended(id, 0), ordinal from contradictions cross join unnest(document_ids) as id
 where origin = 'reported';
