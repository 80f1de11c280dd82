-- Up Migration
-- The audit trail by row, not by statement: the API writes single rows, and for one row the planning of joins over the
-- statement's rows cost several times as much as the write itself.

create or replace function note_writing() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  key constant text[] := tg_argv[0];
  private constant text[] := tg_argv[2];
  left_out constant text[] := tg_argv[3];
  soft_delete constant text := tg_argv[4];
  needed ua_capability := nullif(tg_argv[5], '');
  by_user constant uuid := nullif(current_setting('minaret.user_id', true), '')::uuid;
  by_app constant uuid := nullif(current_setting('minaret.app_id', true), '')::uuid;
  before jsonb;
  after jsonb;
  columns text[];
  old_kept jsonb;
  new_kept jsonb;
  done text := lower(tg_op);
  at_masjid uuid;
  standing text;
begin
  if tg_op <> 'INSERT' then
    before := to_jsonb(old) - left_out;
  end if;
  if tg_op <> 'DELETE' then
    after := to_jsonb(new) - left_out;
  end if;
  if tg_op = 'UPDATE' then
    if before = after then
      return null;
    end if;
    if before -> soft_delete <> after -> soft_delete then
      done := case when before ->> soft_delete is null then 'delete' when after ->> soft_delete is null then 'restore' else done end;
    end if;
    select array_agg(was.key), coalesce(jsonb_object_agg(was.key, was.value) filter (where was.key <> all (private)), '{}'),
      coalesce(jsonb_object_agg(was.key, after -> was.key) filter (where was.key <> all (private)), '{}')
    into columns, old_kept, new_kept
    from jsonb_each(before) was where was.value <> after -> was.key;
  else
    columns := array(select jsonb_object_keys(coalesce(after, before)));
    old_kept := before - private;
    new_kept := after - private;
  end if;
  at_masjid := coalesce(after, before) ->> tg_argv[1];
  if by_user is null then
    standing := case when by_app is null then 'database' when writing_all() is not null then 'all-masjids' else 'own-app' end;
    needed := null;
  elsif needed is not null and exists (
    select from ua_members member
    where member.masjid_id = at_masjid and member.user_id = by_user and member.status = 'active' and member.deleted_at is null
      and (needed = any (role_capabilities(member.role)) or exists (
        select from ua_capabilities held where held.masjid_id = at_masjid and held.user_id = by_user
          and held.capability = needed and held.withdrawn_at is null))) then
    standing := 'capability';
  else
    standing := case when is_service_admin() then 'administrator' else 'themselves' end;
    needed := null;
  end if;
  insert into written_rows (table_name, record_key, masjid_id, kind, changed_columns, old_values, new_values, user_id, app_id,
    request_id, authority, capability, database_user)
  values (tg_table_name, case when cardinality(key) = 1 then coalesce(after, before) ->> key[1] else key_of(coalesce(after, before), key) end,
    at_masjid, done, columns, old_kept, new_kept, by_user, by_app, nullif(current_setting('minaret.request_id', true), ''), standing, needed, session_user);
  return null;
end
$$;
comment on function note_writing is 'Writes a row that was written to the audit trail.';

drop function changed_values(jsonb, jsonb, text[]);

create or replace function watch_writes(target regclass) returns boolean
language plpgsql set search_path from current as $$
declare
  arguments text;
begin
  if current_schema() = 'sandbox' then
    return false;
  end if;
  select string_agg(quote_literal(argument), ', ' order by place) into arguments
  from unnest(writing_arguments(target)) with ordinality said (argument, place);
  if exists (select from pg_trigger where tgrelid = target and tgname = 'note_writing'
      and right(pg_get_triggerdef(oid), length(arguments) + 2) = '(' || arguments || ')') then
    return false;
  end if;
  execute format('drop trigger if exists note_writing on %s', target);
  execute format('create trigger note_writing after insert or update or delete on %s for each row execute function note_writing(%s)',
    target, arguments);
  return true;
end
$$;

do $$
declare
  watched regclass;
begin
  for watched in select distinct tgrelid from pg_trigger where tgfoid = 'note_writing'::regproc and tgname = 'note_insert' loop
    execute format('drop trigger note_insert on %s', watched);
    execute format('drop trigger note_update on %s', watched);
    execute format('drop trigger note_delete on %s', watched);
    perform watch_writes(watched);
  end loop;
end
$$;
select pin_search_paths();
