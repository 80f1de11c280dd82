// The change log, made to lose its rows as soon as they are written, by the function that prunes it.

/** Rows then go to the default partition, out of which they are deleted by the age of their transaction. */
export const withoutPartitions = `do $$
declare
  partition regclass;
begin
  create table changes.log_far (like changes.log including defaults including indexes);
  alter table changes.log attach partition changes.log_far for values from ('2090-01-01') to ('2090-01-02');
  for partition in select found.partition from changes.partitions() found where ends < '2090-01-01' loop
    execute format('drop table %s', partition);
  end loop;
end
$$`

/** What is to be deleted is announced first: it takes two calls. */
export const pruneLog = `select changes.drop_partitions('0 s')`
