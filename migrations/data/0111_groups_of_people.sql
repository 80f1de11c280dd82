-- Up Migration
-- How totals over people are kept from telling of one of them. Comments of tables say:
--   @full_rows column function function   rows of which the reader sees everything: the column is in the array that the first
--                                         function gives, or the second, which stands for all of them, is not null
--   @own_rows column function, …          rows that are the user's own
--   @groups column, …                     for all other rows: the groups that totals are made of. A total may be narrowed by these
--                                         columns alone, and groups of fewer than five people are left out.

create function annotate_table(target regclass, line text) returns void
language plpgsql set search_path from current as $$
begin
  execute format('comment on table %s is %L', target, line || E'\n' || obj_description(target, 'pg_class'));
end
$$;
comment on function annotate_table is 'Puts an annotation before the comment of a table, whatever else stands there.';

select annotate_table(target, '@full_rows masjid_id masjids_in_full all_in_full')
from unnest('{ua_members,ua_households,ua_donations,ua_recurring_donations,up_event_rsvps,ua_campaigns}'::regclass[]) target;

select annotate_table('ua_members', E'@own_rows id own_members\n@groups masjid_id');
select annotate_table('ua_households', E'@own_rows id own_households\n@groups masjid_id');
select annotate_table('ua_donations', E'@own_rows member_id own_members\n@groups masjid_id, fund, currency');
select annotate_table('ua_recurring_donations', E'@own_rows member_id own_members\n@groups masjid_id, fund, currency');
select annotate_table('up_event_rsvps', E'@own_rows member_id own_members\n@groups masjid_id, occurrence_id');
