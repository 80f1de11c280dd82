-- Up Migration
-- Whoever looks after people, giving or events at a masjid reads the rows that this is about, as board and admin do.
-- masjids_in_full() still means those who see everything.

create function people_masjids() returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when sees_masjids_in_full() then look_up_masjids_for('people') else '{}'::uuid[] end;
end;
comment on function people_masjids is 'Masjids whose members and households may all be seen.';
create function giving_masjids() returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when sees_masjids_in_full() then look_up_masjids_for('giving') else '{}'::uuid[] end;
end;
comment on function giving_masjids is 'Masjids whose gifts may all be seen.';
create function events_masjids() returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when sees_masjids_in_full() then look_up_masjids_for('events') else '{}'::uuid[] end;
end;
comment on function events_masjids is 'Masjids whose answers to events may all be seen.';

-- As before, with another function in the place of masjids_in_full.
do $$
declare
  target regclass;
  replacement text;
  rule text;
begin
  for target, replacement in values ('ua_members'::regclass, 'people_masjids'), ('ua_households', 'people_masjids'),
    ('ua_donations', 'giving_masjids'), ('ua_recurring_donations', 'giving_masjids'), ('campaign_ledgers', 'giving_masjids'),
    ('ua_campaigns', 'giving_masjids'), ('up_event_rsvps', 'events_masjids') loop
    select pg_get_expr(polqual, polrelid) into rule from pg_policy where polrelid = target and polname = 'reading';
    execute format('alter policy reading on %s using (%s)', target,
      regexp_replace(rule, '\mmasjids_in_full\(\)', replacement || '()'));
    execute format('comment on table %s is %L', target,
      regexp_replace(obj_description(target, 'pg_class'), '\mmasjids_in_full\M', replacement, 'g'));
  end loop;
end
$$;
