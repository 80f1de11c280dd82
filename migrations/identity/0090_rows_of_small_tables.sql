-- How many rows a small table has that was never analyzed, for the cost of queries: autovacuum passes such tables by for good.
create function minaret.rows_of_small_table(tab oid) returns float4
language plpgsql stable set lock_timeout = '50ms' as $$
declare
  found float4;
begin
  if pg_relation_size(tab) > 65536 then return null; end if;
  execute format('select count(*) from %s', tab::regclass) into found;
  -- One without rows has just been made, and is about to be filled.
  return nullif(found, 0);
exception when others then
  return null;
end $$;
comment on function minaret.rows_of_small_table is
  'The rows of a table of at most eight pages; null for a larger one, or one that is locked at the moment.';
