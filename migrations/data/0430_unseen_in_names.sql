-- Up Migration

-- Names that others are shown: one line, without characters that are not seen and change how the rest is read, or that make two
-- names look the same. Joiners (U+200C, U+200D) stay: Persian, Urdu, Bengali and emoji need them. src/base/plain-text.ts has the
-- same rule.
create or replace function is_plain_line(line text) returns boolean
language sql immutable parallel safe
begin atomic;
  select line !~ '[\u0001-\u001f\u007f-\u009f\u200b\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]';
end;
comment on function is_plain_line is 'Whether a text is one line without characters that are not seen.';

-- What was stored before is cleaned. A row that must not change for another reason keeps its name.
do $$
declare
  target text;
  name text;
begin
  for target, name in values ('pc_iqamah_changes', 'imam'), ('pc_iqamah_changes', 'label'), ('pc_iqamah_schedules', 'imam'),
    ('pc_iqamah_schedules', 'label'), ('pc_prayer_sources', 'label'), ('pc_timetables', 'name'), ('ua_campaigns', 'title'),
    ('ua_donations', 'donor_name'), ('ua_households', 'name'), ('ua_members', 'given_name'), ('ua_members', 'family_name'),
    ('up_announcements', 'deceased_name'), ('up_announcements', 'burial_place'), ('up_announcements', 'janazah_place'),
    ('up_entities', 'legal_name'), ('up_event_rsvps', 'guest_name'), ('up_events', 'title'), ('up_masjids', 'name'),
    ('up_masjids', 'name_ar'), ('up_masjids', 'city') loop
    begin
      execute format(
        'update %1$I set %2$I = coalesce(nullif(trim(regexp_replace(%2$I, %3$L, '' '', ''g'')), ''''), ''?'') where not is_plain_line(%2$I)',
        target, name, '[\u0001-\u001f\u007f-\u009f\u200b\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]+');
    exception when others then
      raise warning 'names in %.% stay as they are: %', target, name, sqlerrm;
    end;
    execute format('alter table %I add constraint %I check (is_plain_line(%I)) not valid', target,
      target || '_' || name || '_is_plain', name);
    execute format('comment on constraint %I on %I is %L', target || '_' || name || '_is_plain', target,
      'A name is one line, without characters that are not seen.');
  end loop;
end
$$;

select pin_search_paths();
