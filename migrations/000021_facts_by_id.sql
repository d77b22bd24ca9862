-- All facts of two or more documents are found by the empty word, in order of their ids.
insert into fact_words (scope_key, generation, word, group_key)
select scope_key, generation, '', group_key from claim_groups where words is not null on conflict do nothing;
update claim_groups set words = array_prepend('', words) where words is not null and not '' = any (words);
