-- A document carries the trace of the request that brought it to those who process it.
alter table document_contents add column traceparent text;
