-- Up Migration
-- PostgreSQL's dates go from before Christ to years of six digits, and to infinity. Calendars, feeds and pages have the years 1 to 9999
-- alone. Moments keep a day from both ends, as masjids are ahead of UTC or behind. Rows that are stored already stay, and can be deleted.
do $$
declare
  target text;
  name text;
  condition text;
  days constant text := '%1$I between ''0001-01-01'' and ''9999-12-31''';
  moments constant text := '%1$I >= ''0001-01-02 00:00+00'' and %1$I < ''9999-12-31 00:00+00''';
begin
  for target, name, condition in values
    ('up_events', 'starts_local', '%1$I >= ''0001-01-01'' and %1$I < ''10000-01-01'''),
    ('up_events', 'exdates', '''0001-01-01'' <= all (%1$I) and ''10000-01-01'' > all (%1$I)'),
    ('up_event_occurrences', 'starts_at', moments), ('up_event_occurrences', 'ends_at', moments),
    ('up_announcements', 'starts_at', moments), ('up_announcements', 'ends_at', moments), ('up_announcements', 'janazah_on', days),
    ('ua_campaigns', 'starts_on', days), ('ua_campaigns', 'ends_on', days),
    ('ua_recurring_donations', 'starts_on', days), ('ua_recurring_donations', 'ends_on', days), ('ua_recurring_donations', 'next_on', days),
    ('ua_donations', 'received_at', moments), ('ua_members', 'joined_on', days),
    ('pc_iqamah_schedules', 'valid', 'coalesce(lower(%1$I) >= ''0001-01-01'', true) and coalesce(upper(%1$I) <= ''10000-01-01'', true)') loop
    execute format('alter table %I add constraint %I check (deleted_at is not null or %s) not valid', target,
      target || '_' || name || '_years_check', format(condition, name));
    execute format('comment on constraint %I on %I is %L', target || '_' || name || '_years_check', target,
      'A date is one of the years 1 to 9999.');
  end loop;
end
$$;
