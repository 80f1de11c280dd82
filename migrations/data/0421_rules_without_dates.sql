-- Up Migration
-- A rule that has no date among as many days as anybody would look at is not followed again until it changes. Where the day and
-- the month can never meet, as with 30 February, it is refused when it is written. Rows that are stored already stay as they are.

alter table occurrence_states add column refused_recurrence text;
comment on column occurrence_states.refused_recurrence is 'The start, time zone and rule that gave no dates when they were last followed; null: they were followed.';

create function up_events_has_rule_without_dates(event up_events) returns boolean
language sql stable security definer
begin atomic;
  select exists (select from occurrence_states where event_id = (event).id and refused_recurrence is not null);
end;
comment on function up_events_has_rule_without_dates is
  E'@computed has_rule_without_dates\nWhether its rule cannot be followed: it is not valid, or gives no date in decades. Such an event has no occurrences until its rule changes.';

-- The last of several parts of one name counts, as it does when the rule is followed.
create function rule_numbers(rule text, part text) returns integer[]
language sql immutable parallel safe
begin atomic;
  select array(select each::integer from regexp_split_to_table(
    (regexp_match(rule, '^(?:.*;)?' || part || '=([0-9,+-]+)(?:;|$)'))[1], ',') each where each ~ '^[+-]?[0-9]{1,4}$');
end;
comment on function rule_numbers is 'The numbers of a part of a recurrence rule, such as BYMONTH; empty without it.';

create function meets_some_day(rule text, first timestamp) returns boolean
language sql immutable parallel safe
begin atomic;
  select rule is null or cardinality(days) = 0 or exists (
    select from unnest(case cardinality(months) when 0 then '{1,2,3,4,5,6,7,8,9,10,11,12}' else months end) month
    cross join unnest(days) day
    where month between 1 and 12 and abs(day) between 1 and ('{31,29,31,30,31,30,31,31,30,31,30,31}'::integer[])[month])
  from (select rule_numbers(rule, 'BYMONTH') as months) of_year
  -- Without another part that chooses days, a rule by month or year takes the day of its first date.
  cross join lateral (select case
    when rule ~ '(^|;)BYMONTHDAY=' then rule_numbers(rule, 'BYMONTHDAY')
    when rule ~ '(^|;)FREQ=(MONTHLY|YEARLY)(;|$)' and rule !~ '(^|;)BY(DAY|YEARDAY|WEEKNO|EASTER)=' then array[extract(day from first)::integer]
    else '{}' end as days) of_month;
end;
comment on function meets_some_day is 'Whether any of the months of a recurrence rule has any of its days.';

create function refuse_rule_without_days() returns trigger
language plpgsql set search_path from current as $$
begin
  if not meets_some_day(new.rrule, new.starts_local) then
    raise exception 'None of the months of the rule has such a day, as with 30 February.' using errcode = 'check_violation',
      constraint = 'up_events_rrule_days_check', table = 'up_events', schema = tg_table_schema;
  end if;
  return new;
end
$$;
comment on function refuse_rule_without_days is 'Refuses a recurrence rule whose day and month never meet.';
create trigger refuse_rule_without_days before insert on up_events
  for each row when (new.rrule is not null) execute function refuse_rule_without_days();
create trigger refuse_changed_rule_without_days before update on up_events
  for each row when (new.rrule is not null and (new.rrule, new.starts_local) is distinct from (old.rrule, old.starts_local))
  execute function refuse_rule_without_days();
select pin_search_paths();
