-- What is shown of a long reading is kept in pieces. Older readings have none, and are shown from all their claims until they are
-- read again.
alter table readings add column pieces bytea;
alter table readings add column piece_ends int[];
alter table readings alter column pieces set storage external;
