-- What a reading is about, by which most of those that share a key with it are told from it without their claims. Readings that are there
-- are compared with all of them, as before.
alter table readings add column sketch smallint[];
