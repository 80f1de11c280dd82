-- Up Migration
-- What is open to writing, and for whom. Scopes open a table to an app; these policies decide which rows. Each compares columns of
-- the row itself, before and after the change: a row never moves to a masjid where its writer may not write.

create function annotate_column(target regclass, name text, line text) returns void
language plpgsql set search_path from current as $$
begin
  execute format('comment on column %s.%I is %L', target, name, line || coalesce(E'\n' || col_description(target,
    (select attnum from pg_attribute where attrelid = target and attname = name)), ''));
end
$$;
comment on function annotate_column is 'Puts an annotation before the comment of a column, whatever else stands there.';

-- `column` holds the masjid; tables that belong to no masjid give their id, and are written by those who may write everything.
create function open_to_writing(target regclass, capability text, operations text[], masjid text default 'masjid_id') returns void
language plpgsql set search_path from current as $$
declare
  everything constant text := format('%I between (select writing_all()) and %L', masjid, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  rule constant text := case when capability is null then everything
    else format('%I = any ((select writing_masjids(%L))::uuid[]) or %s', masjid, capability, everything) end;
begin
  execute format('alter table %s enable row level security', target);
  if not exists (select from pg_policy where polrelid = target and polcmd = 'r') then
    execute format('create policy reading on %s for select using (true)', target);
  end if;
  if 'insert' = any (operations) then
    execute format('create policy inserting on %s for insert with check (%s)', target, rule);
  end if;
  -- marking rows as deleted is an update
  if operations && '{update,delete}' then
    execute format('create policy updating on %s for update using (%s) with check (%s)', target, rule, rule);
  end if;
  if 'delete' = any (operations) then
    execute format('create policy deleting on %s for delete using (%s)', target, rule);
  end if;
  perform annotate_table(target, '@writable ' || array_to_string(operations, ' ')
    || coalesce(E'\n@capability ' || capability, ''));
  perform annotate_column(target, 'created_at', '@preset');
  perform annotate_column(target, 'updated_at', '@preset');
end
$$;
comment on function open_to_writing is
  'Opens a table to writing: by those who hold a capability at the row''s masjid, by its own app, and by those who may write everything.';

select open_to_writing('up_entities', null, '{insert,update,delete}', 'id');
select open_to_writing('up_events', 'events', '{insert,update,delete}');
select open_to_writing('pc_prayer_sources', 'times', '{insert,update,delete}');
select open_to_writing('pc_iqamah_schedules', 'times', '{insert,update,delete}');
select open_to_writing('pc_hijri_authorities', null, '{insert,update,delete}', 'id');
select open_to_writing('ua_campaigns', 'giving', '{insert,update,delete}');
select open_to_writing('ua_recurring_donations', 'giving', '{insert,update,delete}');
select open_to_writing('ua_households', 'people', '{insert,update,delete}');
select open_to_writing('ua_members', 'people', '{insert,update,delete}');

select annotate_column('up_events', 'going_count', E'@preset\n@calculated');
select annotate_column('pc_prayer_sources', 'last_attempt_at', '@preset');
select annotate_column('pc_prayer_sources', 'last_success_at', '@preset');
select annotate_column('ua_campaigns', 'raised_minor', E'@preset\n@calculated');

-- Occurrences follow from their event; people move, cancel or delete one, and give it other places.
select open_to_writing('up_event_occurrences', 'events', '{update,delete}');
select annotate_column('up_event_occurrences', name, '@preset') from unnest('{event_id,masjid_id,starts_local}'::text[]) name;
select annotate_column('up_event_occurrences', name, E'@preset\n@calculated') from unnest('{going_count,waitlisted_count}'::text[]) name;
select annotate_column('up_event_occurrences', 'edited_by_hand', '@calculated');

-- Months that an authority announced belong to no masjid.
select open_to_writing('pc_hijri_months', 'times', '{insert,update,delete}');
drop policy inserting on pc_hijri_months;
drop policy updating on pc_hijri_months;
drop policy deleting on pc_hijri_months;
create policy inserting on pc_hijri_months for insert with check (
  masjid_id = any ((select writing_masjids('times'))::uuid[]) or (select writing_all()) is not null);
create policy updating on pc_hijri_months for update
  using (masjid_id = any ((select writing_masjids('times'))::uuid[]) or (select writing_all()) is not null)
  with check (masjid_id = any ((select writing_masjids('times'))::uuid[]) or (select writing_all()) is not null);
create policy deleting on pc_hijri_months for delete using (
  masjid_id = any ((select writing_masjids('times'))::uuid[]) or (select writing_all()) is not null);
select annotate_column('pc_hijri_months', 'announced_at', '@preset');

-- A masjid: its calculation by "times", what it tells about itself by "announcements". Which masjids there are, their addresses on
-- the web and their legal bodies are decided by those who may write everything.
select open_to_writing('up_masjids', null, '{insert,update,delete}', 'id');
drop policy updating on up_masjids;
create policy updating on up_masjids for update
  using (id = any ((select writing_masjids('announcements'))::uuid[]) or id = any ((select writing_masjids('times'))::uuid[])
    or id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  with check (id = any ((select writing_masjids('announcements'))::uuid[]) or id = any ((select writing_masjids('times'))::uuid[])
    or id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff');
select annotate_table('up_masjids', '@capability announcements');
select annotate_column('up_masjids', name, '@preset') from unnest('{verification,verified_at}'::text[]) name;

create function split_masjid(masjid up_masjids, out times jsonb, out identity jsonb, out details jsonb, out place jsonb)
language sql stable
begin atomic;
  select jsonb_build_array((masjid).timezone, (masjid).calculation_method, (masjid).madhab, (masjid).high_latitude_rule,
      (masjid).adjustments, (masjid).hijri_adjustment, (masjid).hijri_authority_id, (masjid).fajr_angle, (masjid).isha_angle,
      (masjid).isha_minutes, (masjid).maghrib_angle),
    jsonb_build_array((masjid).slug, (masjid).entity_id, (masjid).deleted_at),
    jsonb_build_array((masjid).name, (masjid).name_ar, (masjid).address, (masjid).city, (masjid).state, (masjid).postal_code,
      (masjid).country, (masjid).latitude, (masjid).longitude, (masjid).languages, (masjid).facilities, (masjid).capacity,
      (masjid).phone, (masjid).email, (masjid).website),
    jsonb_build_array((masjid).name, (masjid).address, (masjid).city, (masjid).country, (masjid).latitude, (masjid).longitude);
end;
comment on function split_masjid is E'@hidden\nThe parts of a masjid that different people look after.';

-- Asked for API roles only: row-level security does not apply to the owner, who may do everything.
create function guard_masjid() returns trigger
language plpgsql set search_path from current as $$
declare
  was record := split_masjid(old);
  will record := split_masjid(new);
begin
  if not row_security_active(tg_relid) or writing_all() is not null then
    return new;
  end if;
  if was.identity is distinct from will.identity then
    raise exception 'The slug and the legal body of a masjid, and whether it is listed, are changed by administrators.'
      using errcode = 'MN003';
  end if;
  if was.times is distinct from will.times then
    perform refuse_unless_writing(old.id, 'times');
  end if;
  if was.details is distinct from will.details then
    perform refuse_unless_writing(old.id, 'announcements');
  end if;
  -- somebody checked that the masjid of this name stands at this place
  if was.place is distinct from will.place and old.verification = 'verified' then
    new.verification := 'pending';
  end if;
  return new;
end
$$;
comment on function guard_masjid is
  'Decides which columns of a masjid a capability covers, and has a verified masjid checked again when its name or place changes.';
create trigger guard before update on up_masjids for each row execute function guard_masjid();

-- Answers: a person writes their own, staff those of their masjid.
create function look_up_writing_members() returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(id), '{}') from ua_members
  where user_id = asking_user() and status = 'active' and deleted_at is null and is_account_in_force(asking_user());
end;
comment on function look_up_writing_members is 'The active memberships of the user who asks, with the owner''s rights.';
create function writing_members() returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when asks_for_user() then look_up_writing_members() else '{}'::uuid[] end;
end;
comment on function writing_members is 'The memberships on whose behalf the user who asks may write.';

select open_to_writing('up_event_rsvps', 'events', '{insert,update,delete}');
select annotate_table('up_event_rsvps', '@write_scope events:write');
drop policy inserting on up_event_rsvps;
drop policy updating on up_event_rsvps;
drop policy deleting on up_event_rsvps;
create policy inserting on up_event_rsvps for insert with check (
  member_id = any ((select writing_members())::uuid[])
  or masjid_id = any ((select writing_masjids('events'))::uuid[])
  or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff');
create policy updating on up_event_rsvps for update
  using (member_id = any ((select writing_members())::uuid[])
    or masjid_id = any ((select writing_masjids('events'))::uuid[])
    or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  with check (member_id = any ((select writing_members())::uuid[])
    or masjid_id = any ((select writing_masjids('events'))::uuid[])
    or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff');
create policy deleting on up_event_rsvps for delete using (
  member_id = any ((select writing_members())::uuid[])
  or masjid_id = any ((select writing_masjids('events'))::uuid[])
  or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff');
-- the order of the waiting list, and what follows from the occurrence
select annotate_column('up_event_rsvps', name, '@preset') from unnest('{masjid_id,responded_at}'::text[]) name;

-- Who attended takes a place without asking for one, and is for the masjid to say.
create function guard_rsvp() returns trigger
language plpgsql set search_path from current as $$
begin
  if row_security_active(tg_relid) then
    perform refuse_unless_writing(new.masjid_id, 'events');
  end if;
  return new;
end
$$;
comment on function guard_rsvp is 'Leaves it to the masjid to say who attended.';
create trigger z_guard_insert before insert on up_event_rsvps for each row when (new.status = 'attended') execute function guard_rsvp();
create trigger z_guard_update before update on up_event_rsvps for each row
  when (new.status = 'attended' and (old.status <> 'attended' or old.party_size < new.party_size
    or old.occurrence_id <> new.occurrence_id or (old.deleted_at is null) <> (new.deleted_at is null)))
  execute function guard_rsvp();

-- Members: a role, an account and a consent are never plain values. Named functions change them.
select annotate_column('ua_members', name, '@preset') from unnest('{role,user_id,consent_api_sharing,consent_at}'::text[]) name;

create function holds_anything(masjid uuid, account uuid) returns boolean
language sql stable security definer
begin atomic;
  select exists (
    select from ua_members where masjid_id = masjid and user_id = account and role_capabilities(role) <> '{}'
    union all
    select from ua_capabilities where masjid_id = masjid and user_id = account and withdrawn_at is null);
end;
comment on function holds_anything is 'Whether an account holds any capability at a masjid, by role or by itself.';

-- Whoever looks after people may not end the membership of somebody who holds a capability: that would withdraw it.
create function guard_member() returns trigger
language plpgsql set search_path from current as $$
begin
  if row_security_active(tg_relid) and holds_anything(old.masjid_id, old.user_id) then
    perform lock_capabilities(old.masjid_id);
    perform refuse_unless_writing(old.masjid_id, 'capabilities');
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
comment on function guard_member is 'Asks for the capability "capabilities" when the membership of somebody who holds one ends or moves.';
create trigger guard_update before update on ua_members for each row
  when (old.user_id is not null and (old.status, old.deleted_at, old.masjid_id) is distinct from (new.status, new.deleted_at, new.masjid_id))
  execute function guard_member();
create trigger guard_delete before delete on ua_members for each row
  when (old.user_id is not null) execute function guard_member();

create function guard_last_manager() returns trigger
language plpgsql set search_path from current as $$
begin
  if row_security_active(tg_relid) and was_manager(old) then
    perform refuse_unless_managed(old.masjid_id);
  end if;
  return null;
end
$$;
comment on function guard_last_manager is 'Keeps the last who manages capabilities at a masjid from leaving it.';
create function was_manager(member ua_members) returns boolean
language sql stable security definer
begin atomic;
  select (member).status = 'active' and (member).deleted_at is null and is_account_in_force((member).user_id)
    and ('capabilities' = any (role_capabilities((member).role)) or exists (
      select from ua_capabilities where masjid_id = (member).masjid_id and user_id = (member).user_id
        and capability = 'capabilities' and coalesce(withdrawn_at >= now(), true)));
end;
comment on function was_manager is E'@hidden\nWhether a member managed capabilities when the transaction began.';

-- What was granted by name ends with the membership, and does not come back with it.
create function end_capabilities() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update ua_capabilities set withdrawn_at = clock_timestamp(), withdrawn_by = asking_user()
  where masjid_id = old.masjid_id and user_id = old.user_id and withdrawn_at is null;
  return null;
end
$$;
comment on function end_capabilities is 'Withdraws the capabilities of somebody whose membership ends.';
create trigger end_capabilities after update on ua_members for each row
  when (old.user_id is not null and (new.status <> 'active' or new.deleted_at is not null
    or new.user_id is distinct from old.user_id or new.masjid_id <> old.masjid_id))
  execute function end_capabilities();
create trigger end_capabilities_of_deleted after delete on ua_members for each row
  when (old.user_id is not null) execute function end_capabilities();
create trigger guard_last_manager after update on ua_members for each row
  when (old.user_id is not null and (old.status, old.deleted_at, old.masjid_id) is distinct from (new.status, new.deleted_at, new.masjid_id))
  execute function guard_last_manager();
create trigger guard_last_manager_of_deleted after delete on ua_members for each row
  when (old.user_id is not null) execute function guard_last_manager();

select pin_search_paths();
select watch_writes(target), show_history(target)
from unnest('{up_entities,up_masjids,up_events,up_event_occurrences,up_event_rsvps,ua_campaigns,ua_recurring_donations,ua_households,ua_members,pc_prayer_sources,pc_iqamah_schedules,pc_hijri_authorities,pc_hijri_months}'::regclass[]) target;
