-- Keys of readings are filed later than what the readings say: by them nobody but who works on the scope looks for documents, and it has
-- them in memory. Null: whatever is filed was filed with its keys.
alter table scopes add column keys_filed_up_to bigint;
