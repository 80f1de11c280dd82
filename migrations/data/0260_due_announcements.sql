-- Up Migration
-- An announcement that was written ahead changes twice more, by the clock alone: when it starts and when it ends. Nobody writes a row
-- then, so a job leaves a line in the change log (src/changes/note-due.ts), once for each moment.

create table announcement_clock (
  only_one boolean primary key default true check (only_one),
  noted_until timestamptz not null default now()
);
comment on table announcement_clock is E'@hidden\nUp to which moment the starts and ends of announcements are in the change log. One row. Not part of the API.';
comment on column announcement_clock.only_one is 'Always true: the key that allows a single row.';
comment on column announcement_clock.noted_until is 'The moment.';
insert into announcement_clock default values;

-- Only what was written ahead: the others are in the log as they were written.
create index up_announcements_starting_idx on up_announcements (starts_at) where updated_at < starts_at;
create index up_announcements_ending_idx on up_announcements (ends_at) where updated_at < ends_at;

-- What this does not see was committed after now(), and is shown, or no longer shown, from its commit on. Its own line says so.
create function note_due_announcements() returns integer
language plpgsql set search_path from current as $$
declare
  since timestamptz;
  noted integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(current_schema(), 6206260)) then
    return 0;
  end if;
  select noted_until into since from announcement_clock;
  insert into changes.log (table_name, masjid_id, key, kind)
  select format('%s.up_announcements', current_schema()), masjid_id, jsonb_build_object('id', id), 'update' from up_announcements
  where deleted_at is null and (
    updated_at < starts_at and starts_at > since and starts_at <= now()
    or updated_at < ends_at and ends_at > since and ends_at <= now());
  get diagnostics noted = row_count;
  if noted > 0 or since < now() - interval '1 minute' then
    update announcement_clock set noted_until = now() where noted_until < now();
  end if;
  return noted;
end
$$;
comment on function note_due_announcements is E'@hidden\nLogs the announcements that started or ended since the last call, and returns how many.';
revoke execute on function note_due_announcements from public;

-- One that is postponed after it started is gone for everybody else; one that was never shown was never there.
drop trigger note_deletion on up_announcements;
create trigger note_deletion after delete on up_announcements for each row
  when (old.starts_at <= now()) execute function note_deletion();
create trigger note_postponement after update of starts_at on up_announcements for each row
  when (old.starts_at <= now() and new.starts_at > now()) execute function note_deletion();

select pin_search_paths();
