-- Up Migration
-- Taking an account back: what it did lately is undone, and can be done again. Nothing is lost by either.
-- The locks are those that settle_act asks for: whoever acts for the account at this moment, or with access that it gave, comes first or
-- is refused. In one order, so that two take-backs do not wait for each other.
create function lock_take_back(person uuid) returns void language plpgsql as $$
declare
  locked uuid;
begin
  for locked in
    select distinct holder from minaret.access_given_since(person, now() - interval '30 days') order by holder
  loop
    perform pg_advisory_xact_lock(hashtextextended(locked::text, 6206190));
  end loop;
  perform set_config('minaret.taking_back', 'on', true);
end $$;

create function key_condition(rule take_back_rules) returns text language sql immutable as $$
  select format('(%s) = (select %s from jsonb_populate_record(null::%s, $1) k)',
    string_agg(format('t.%I', name), ', '), string_agg(format('k.%I', name), ', '), rule.table_name)
  from unnest(rule.key_columns) name
$$;

create function current_row(rule take_back_rules, key jsonb) returns jsonb language plpgsql as $$
declare
  document jsonb;
begin
  execute format('select to_jsonb(t) from %s t where %s for update', rule.table_name, minaret.key_condition(rule)) into document using key;
  return document;
end $$;

create function write_values(rule take_back_rules, key jsonb, patch jsonb) returns void language plpgsql as $$
declare
  names text;
begin
  select string_agg(quote_ident(name), ', ') into names from jsonb_object_keys(patch) name;
  execute format('update %1$s t set (%2$s) = (select %2$s from jsonb_populate_record(null::%1$s, $2)) where %3$s',
    rule.table_name, names, minaret.key_condition(rule)) using key, patch;
end $$;

create function take_row_out(rule take_back_rules, key jsonb) returns void language plpgsql as $$
begin
  execute format('delete from %s t where %s', rule.table_name, minaret.key_condition(rule)) using key;
end $$;

create function put_row_in(rule take_back_rules, document jsonb) returns void language plpgsql as $$
begin
  execute format('insert into %1$s select * from jsonb_populate_record(null::%1$s, $1)', rule.table_name) using document;
end $$;

-- Only values that are still those that were written: what somebody else did to them since stays.
create function still_so(document jsonb, expected jsonb) returns text[] language sql immutable as $$
  select coalesce(array_agg(e.key), '{}') from jsonb_each(expected) e where document -> e.key is not distinct from e.value
$$;

-- What an act did is taken away. @returns what is needed to do it again; null if there is nothing of it any more.
create function undo_act(done account_acts) returns jsonb language plpgsql as $$
declare
  rule minaret.take_back_rules;
  document jsonb;
  names text[];
begin
  select * into rule from minaret.take_back_rules where table_name = done.table_name;
  document := minaret.current_row(rule, done.key);
  if done.act = 'removed' and done.after is null then
    if document is not null then return null; end if;
    perform minaret.put_row_in(rule, done.before);
    return '{}';
  end if;
  if document is null or done.act = 'added' and not minaret.gives_access(rule, document) then return null; end if;
  if done.act = 'added' and rule.ending is null then
    perform minaret.take_row_out(rule, done.key);
    return document;
  end if;
  if done.act = 'added' then
    perform minaret.write_values(rule, done.key, rule.ending);
    return minaret.chosen_values(document, array(select jsonb_object_keys(rule.ending)));
  end if;
  names := minaret.still_so(document, done.after);
  if names = '{}' then return null; end if;
  perform minaret.write_values(rule, done.key, minaret.chosen_values(done.before, names));
  return minaret.chosen_values(document, names);
end $$;

create function redo_act(done account_acts) returns boolean language plpgsql as $$
declare
  rule minaret.take_back_rules;
  document jsonb;
begin
  select * into rule from minaret.take_back_rules where table_name = done.table_name;
  document := minaret.current_row(rule, done.key);
  if done.act = 'removed' and done.after is null then
    perform minaret.take_row_out(rule, done.key);
  elsif done.act = 'added' and rule.ending is null then
    if document is not null then return false; end if;
    perform minaret.put_row_in(rule, done.held);
  elsif document is null or done.act <> 'added'
      and minaret.still_so(document, minaret.chosen_values(done.before, array(select jsonb_object_keys(done.held)))) = '{}' then
    return false;
  else
    perform minaret.write_values(rule, done.key, done.held);
  end if;
  return true;
end $$;

-- Who acts with what the account has given them since then, and where: a thief adds a second owner, who goes on.
create function access_given_since(person uuid, since timestamptz) returns table (holder uuid, at_place uuid, from_then timestamptz)
language sql stable as $$
  with recursive given (holder, at_place, from_then) as (
    select person, null::uuid, since
    union
    select act.grantee, act.place, act.at from given
      join minaret.account_acts act on act.actor_id = given.holder and act.at > given.from_then
        and (given.at_place is null or act.place = given.at_place)
    where act.grantee is not null and act.grantee <> person and act.act in ('added', 'replaced')
  )
  select * from given
$$;

create function acts_since(person uuid, since timestamptz) returns setof account_acts language sql stable as $$
  select distinct act.* from minaret.access_given_since(person, since) given
    join minaret.account_acts act on act.actor_id = given.holder and act.at > given.from_then
      and (given.at_place is null or act.place = given.at_place)
$$;
comment on function acts_since is 'What an account did since then, and others with the access that it gave them since then.';

-- What people do at masjids is recorded there.
create function collect_acts_of(person uuid, since timestamptz) returns void language plpgsql as $$
begin
  insert into minaret.account_acts (actor_id, at, act, table_name, key, place, grantee, source)
  select person, held.granted_at, 'added', 'public.ua_capabilities', jsonb_build_object('id', held.id), held.masjid_id, held.user_id, 'granted ' || held.id
  from public.ua_capabilities held where held.granted_by = person and held.granted_at > since
  on conflict (source) do nothing;
  insert into minaret.account_acts (actor_id, at, act, table_name, key, before, after, place, source)
  select person, held.withdrawn_at, 'removed', 'public.ua_capabilities', jsonb_build_object('id', held.id),
    '{"withdrawn_at":null,"withdrawn_by":null}', jsonb_build_object('withdrawn_at', held.withdrawn_at, 'withdrawn_by', held.withdrawn_by),
    held.masjid_id, 'withdrawn ' || held.id || ' ' || held.withdrawn_at
  from public.ua_capabilities held where held.withdrawn_by = person and held.withdrawn_at > since
  on conflict (source) do nothing;
  insert into minaret.account_acts (actor_id, at, act, table_name, key, before, after, place, grantee, source)
  select person, written.at, case when written.kind = 'delete' then 'removed' else 'replaced' end, 'public.ua_members',
    jsonb_build_object('id', written.record_key), minaret.chosen_values(written.old_values, names), minaret.chosen_values(written.new_values, names),
    written.masjid_id, (select user_id from public.ua_members where id = written.record_key::uuid), 'written ' || written.id
  from public.written_rows written
    cross join lateral (select array(select name from unnest(written.changed_columns) name
      where name in ('role', 'status', 'user_id', 'deleted_at') and written.old_values ? name and written.new_values ? name) as names) changed
  where written.user_id = person and written.at > since and written.table_name = 'ua_members' and written.old_values is not null
    and written.new_values is not null and names <> '{}'
  on conflict (source) do nothing;
end $$;

create function collect_acts(person uuid, since timestamptz) returns void language plpgsql as $$
declare
  holder uuid;
begin
  perform minaret.collect_acts_of(person, since);
  for holder in select distinct given.holder from minaret.access_given_since(person, since) given where given.holder <> person loop
    perform minaret.collect_acts_of(holder, since);
  end loop;
end $$;

-- Whether it is true that the act was undone. One that fails is tried again after the others, as it may stand in their way.
create function try_undo(act_id bigint, back bigint) returns boolean language plpgsql as $$
declare
  done minaret.account_acts;
  kept jsonb;
begin
  select * into done from minaret.account_acts where id = act_id and undone_at is null;
  if not found then return true; end if;
  begin
    kept := minaret.undo_act(done);
  exception when others then
    update minaret.account_acts set failed_at = clock_timestamp() where id = act_id;
    return false;
  end;
  update minaret.account_acts set failed_at = null, undone_at = case when kept is null then undone_at else clock_timestamp() end,
    held = kept, take_back_id = case when kept is null then take_back_id else back end
  where id = act_id;
  return true;
end $$;

create function try_redo(act_id bigint) returns boolean language plpgsql as $$
declare
  done minaret.account_acts;
  resumed boolean;
begin
  select * into done from minaret.account_acts where id = act_id and undone_at is not null;
  if not found then return true; end if;
  begin
    resumed := minaret.redo_act(done);
  exception when others then
    resumed := false;
  end;
  update minaret.account_acts set failed_at = case when resumed then null else clock_timestamp() end,
    undone_at = case when resumed then null else undone_at end, held = case when resumed then null else held end,
    take_back_id = case when resumed then null else take_back_id end
  where id = act_id;
  return resumed;
end $$;

-- Until the owner answers, nothing has more access than both the former value and the latest give: somebody may have been made an
-- administrator by a thief, or stopped being one by the owner; a key may have been replaced because others knew it.
create function common_values(former jsonb, latest jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(value), '[]') from jsonb_array_elements(former) value where latest @> jsonb_build_array(value)
$$;

create function lower_of(former jsonb, latest jsonb, ranks text[]) returns jsonb language sql immutable as $$
  select case when array_position(ranks, former #>> '{}') <= array_position(ranks, latest #>> '{}') then former else latest end
$$;

create function meanwhile_value(table_name text, name text, former jsonb, latest jsonb) returns jsonb language sql immutable as $$
  select case
    when name in ('is_admin', 'is_reviewer') then to_jsonb(former::boolean and latest::boolean)
    when name = 'dpop_bound' then to_jsonb(former::boolean or latest::boolean)
    when name = 'device_flow' then minaret.lower_of(former, latest, '{off,on}')
    when name = 'client_authentication' then minaret.lower_of(former, latest, '{basic,basic_or_post}')
    when name = 'backchannel_logout_uri' then 'null'
    when name in ('scopes', 'claims', 'redirect_uris', 'post_logout_redirect_uris') then minaret.common_values(former, latest)
    when table_name = 'minaret.app_members' and name = 'role' then minaret.lower_of(former, latest, '{viewer,developer,owner}')
    when table_name = 'public.ua_members' and name = 'role' then minaret.lower_of(former, latest, '{member,volunteer,imam,board,admin}')
    when table_name = 'public.ua_members' and name = 'status' and former = '"active"' then latest
    when table_name = 'public.ua_members' and name = 'user_id' then 'null'
    else former
  end
$$;

create function meanwhile_values(table_name text, document jsonb, latest jsonb) returns jsonb language plpgsql immutable as $$
declare
  put jsonb;
begin
  select jsonb_object_agg(l.key, minaret.meanwhile_value(meanwhile_values.table_name, l.key, document -> l.key, l.value)) into put
  from jsonb_each(latest) l where l.key not in ('jwks', 'jwks_uri');
  put := coalesce(put, '{}');
  -- An app with keys accepts no secret; at this address there are none.
  if latest ?| '{jwks,jwks_uri}' and num_nonnulls(document ->> 'jwks', document ->> 'jwks_uri') > 0 then
    put := put || '{"jwks":null,"jwks_uri":"https://suspended.invalid/"}';
  end if;
  if table_name = 'minaret.webhook_endpoints' and latest ?| '{url,tables,masjids,query}' then
    put := put || '{"state":"disabled","disabled_because":"owner"}';
  end if;
  select coalesce(jsonb_object_agg(p.key, p.value), '{}') into put from jsonb_each(put) p where document -> p.key is distinct from p.value;
  return put;
end $$;

create function begin_meanwhile(back bigint) returns void language plpgsql as $$
declare
  touched record;
  rule minaret.take_back_rules;
  document jsonb;
  put jsonb;
begin
  for touched in
    select act.table_name, act.key, jsonb_object_agg(held.key, held.value order by act.id) as latest
    from minaret.account_acts act cross join lateral jsonb_each(act.held) held
    where act.take_back_id = back and act.act = 'replaced' group by act.table_name, act.key
  loop
    select * into rule from minaret.take_back_rules where table_name = touched.table_name;
    document := minaret.current_row(rule, touched.key);
    put := minaret.meanwhile_values(touched.table_name, document, touched.latest);
    continue when document is null or put = '{}';
    begin
      perform minaret.write_values(rule, touched.key, put);
    exception when check_violation then
      -- An app needs a scope and a redirect URI: there, the former ones stay.
      put := put - '{scopes,redirect_uris}'::text[];
      continue when put = '{}';
      perform minaret.write_values(rule, touched.key, put);
    end;
    update minaret.take_backs set meanwhile = meanwhile || jsonb_build_array(jsonb_build_object('table', touched.table_name, 'key', touched.key,
        'put', put, 'former', minaret.chosen_values(document, array(select jsonb_object_keys(put))))) where id = back;
  end loop;
end $$;

create function end_meanwhile(person uuid) returns void language plpgsql as $$
declare
  entry jsonb;
  rule minaret.take_back_rules;
begin
  for entry in select jsonb_array_elements(meanwhile) from minaret.take_backs where user_id = person order by id desc loop
    select * into rule from minaret.take_back_rules where table_name = entry ->> 'table';
    if minaret.still_so(minaret.current_row(rule, entry -> 'key'), entry -> 'put') <> '{}' then
      perform minaret.write_values(rule, entry -> 'key', entry -> 'former');
    end if;
  end loop;
  update minaret.take_backs set meanwhile = '[]' where user_id = person and meanwhile <> '[]';
end $$;

-- Newest first. Removals come back only when the owner says so: a key may have been removed because others knew it. Only the owner's own
-- place on a team comes back at once, as without an owner nobody could be removed from it.
create function suspend_acts(person uuid, since timestamptz, back bigint, with_removals boolean) returns void language plpgsql as $$
declare
  todo bigint[];
  one bigint;
begin
  select array_agg(act.id order by act.id desc) into todo from minaret.acts_since(person, since) act
  where act.undone_at is null and (with_removals or act.act <> 'removed'
    or act.table_name = 'minaret.app_members' and act.key ->> 'user_id' = person::text);
  for round in 1..3 loop
    foreach one in array coalesce(todo, '{}') loop
      if minaret.try_undo(one, back) then todo := array_remove(todo, one); end if;
    end loop;
  end loop;
  -- Tokens that were got with an app's suspended secrets and keys, or as a member of its team, end too; clients ask for new ones.
  perform minaret.revoke('app', app.id::text)
  from minaret.apps app where coalesce(app.development_of, app.id) in (
    select place from minaret.account_acts where take_back_id = back
      and table_name in ('minaret.apps', 'minaret.app_secrets', 'minaret.app_members'));
end $$;

-- Whoever steals an account could have it erased: that waits for days, in which its owner can still take it back.
create function is_erasure_their_own(person uuid) returns boolean language sql stable as $$
  select exists (select from minaret.erasures
    where user_id = person and asked_by = 'themselves' and started_at is null and not stays_disabled)
$$;

-- What cannot be told apart ends: whoever holds it proves again who they are.
create function end_access(person uuid) returns void language plpgsql as $$
begin
  delete from minaret.sign_in_challenges where user_id = person;
  delete from minaret.authorization_requests where session_id in (select id from minaret.sessions where user_id = person);
  update minaret.device_codes set state = 'denied', decided_at = now()
  where session_id in (select id from minaret.sessions where user_id = person) and state = 'pending';
  update minaret.sessions set ended_at = now() where user_id = person and ended_at is null;
  update minaret.devices set remembered_until = null where user_id = person and remembered_until is not null;
  update minaret.authorization_codes set used_at = now() where user_id = person and used_at is null;
  -- refresh_tokens end with their grants, by a trigger.
  update minaret.grants set revoked_at = now() where user_id = person and revoked_at is null;
  delete from minaret.data_exports where user_id = person;
  delete from minaret.change_handles where user_id = person;
  -- A row of erasures goes when the account is enabled, by a trigger. An administrator's decision stays.
  update minaret.users set disabled_at = null where id = person and minaret.is_erasure_their_own(person);
end $$;
comment on function end_access is 'Ends sessions, tokens and remembered browsers of an account, and calls off its erasure.';

-- By the link in the mail: whoever follows it has shown nothing but that they read that mail, so all of it can be resumed.
create function take_account_back(person uuid) returns bigint language plpgsql as $$
declare
  back bigint;
begin
  perform minaret.lock_take_back(person);
  -- What was answered before may have been answered by somebody else.
  update minaret.take_backs set last_own = null, answered_at = null where user_id = person;
  insert into minaret.take_backs (user_id, because) values (person, 'link') returning id into back;
  perform minaret.end_access(person);
  perform minaret.collect_acts(person, now() - interval '30 days');
  perform minaret.suspend_acts(person, now() - interval '30 days', back, false);
  perform minaret.begin_meanwhile(back);
  -- Once more: a sign-in that was under way has been waited for, with what it used.
  perform minaret.end_access(person);
  update minaret.take_backs set at = clock_timestamp() where id = back;
  return back;
end $$;

-- The owner says which sign-in was the last of theirs: what happened until then is resumed, what came later is suspended, removals too.
create function name_last_own(person uuid, moment timestamptz) returns void language plpgsql as $$
declare
  back bigint;
  one bigint;
begin
  perform minaret.lock_take_back(person);
  perform minaret.end_meanwhile(person);
  perform minaret.collect_acts(person, now() - interval '30 days');
  insert into minaret.take_backs (user_id, because, last_own, answered_at) values (person, 'question', moment, now()) returning id into back;
  update minaret.take_backs set last_own = moment, answered_at = now() where user_id = person;
  perform minaret.suspend_acts(person, greatest(moment, now() - interval '30 days'), back, true);
  for one in
    select act.id from minaret.account_acts act join minaret.take_backs suspended on suspended.id = act.take_back_id
    where suspended.user_id = person and not exists (select from minaret.acts_since(person, moment) later where later.id = act.id)
    order by act.id
  loop
    perform minaret.try_redo(one);
  end loop;
end $$;

-- One thing that the owner says was theirs: all that was done in the same transaction. First they answer.
create function keep_acts(person uuid, ids bigint[]) returns boolean language plpgsql as $$
declare
  one bigint;
  kept boolean := true;
begin
  perform minaret.lock_take_back(person);
  if exists (select from minaret.take_backs where user_id = person and answered_at is null) then return false; end if;
  for one in
    select act.id from minaret.account_acts act join minaret.take_backs suspended on suspended.id = act.take_back_id
    where suspended.user_id = person and act.id = any (ids) order by act.id
  loop
    kept := minaret.try_redo(one) and kept;
  end loop;
  return kept;
end $$;

-- What an act was about, for its owner to recognise.
create function act_details(done account_acts) returns jsonb language plpgsql stable as $$
declare
  rule minaret.take_back_rules;
  document jsonb;
begin
  select * into rule from minaret.take_back_rules where table_name = done.table_name;
  execute format('select to_jsonb(t) from %s t where %s', rule.table_name, minaret.key_condition(rule)) into document using done.key;
  return coalesce(document, case when done.act = 'removed' then done.before else done.held end, '{}');
end $$;

-- Rules that say what never happens otherwise know a take-back.
create function is_taking_back() returns boolean language sql stable as $$
  select coalesce(current_setting('minaret.taking_back', true), '') = 'on'
$$;

create or replace function use_webhook_id() returns trigger language plpgsql as $$
begin
  if minaret.is_taking_back() then
    insert into minaret.webhook_ids (id) values (new.id) on conflict do nothing;
  else
    insert into minaret.webhook_ids (id) values (new.id);
  end if;
  return new;
end $$;

-- As before, except that an app that was deleted can come back with its account.
create or replace function check_app_move() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'pending' then
      raise exception 'an app begins as pending, not as %', new.state using errcode = 'MN001';
    end if;
    return new;
  end if;
  if old.deleted_at is not null and not (minaret.is_taking_back() and new.deleted_at is null) then
    raise exception 'the app was deleted' using errcode = 'MN001';
  end if;
  if new.state <> old.state and not minaret.is_app_move(old.state, new.state) then
    raise exception 'an app cannot move from % to %', old.state, new.state using errcode = 'MN001';
  end if;
  if old.client_id is not null and new.client_id is distinct from old.client_id then
    raise exception 'a client_id never changes' using errcode = 'MN001';
  end if;
  new.updated_at := now();
  return new;
end $$;

create function bring_back_development_client() returns trigger language plpgsql as $$
begin
  update minaret.apps set deleted_at = null where development_of = new.id;
  return null;
end $$;
create trigger apps_bring_back after update of deleted_at on apps for each row
  when (old.deleted_at is not null and new.deleted_at is null and new.development_of is null)
  execute function bring_back_development_client();

-- A revocation that is lifted: processes forget it when one arrives that has expired.
create function lift_revocation(revoked_kind text, revoked_subject text) returns void language plpgsql as $$
begin
  delete from minaret.revocations where kind = revoked_kind and subject = revoked_subject;
  perform pg_notify('minaret_revocations', json_build_object('kind', revoked_kind, 'subject', revoked_subject,
    'revokedAt', extract(epoch from clock_timestamp()), 'expiresAt', 0)::text);
end $$;

create function resume_key() returns trigger language plpgsql as $$
begin
  perform minaret.lift_revocation('key', new.id::text);
  return null;
end $$;
create trigger api_keys_resume after update of revoked_at on api_keys for each row
  when (old.revoked_at is not null and new.revoked_at is null) execute function resume_key();

create function resume_grant() returns trigger language plpgsql as $$
begin
  update minaret.refresh_tokens set revoked_at = null where grant_id = new.id and revoked_at = old.revoked_at;
  perform minaret.lift_revocation('grant', new.id::text);
  return null;
end $$;
create trigger grants_resume after update of revoked_at on grants for each row
  when (old.revoked_at is not null and new.revoked_at is null) execute function resume_grant();

-- Another member of the team does not start again what was suspended with the account of its owner.
create function keep_suspended() returns trigger language plpgsql as $$
begin
  if not minaret.is_taking_back() and exists (select from minaret.account_acts
    where take_back_id is not null and table_name = 'minaret.webhook_endpoints' and key = jsonb_build_object('id', new.id) and act = 'added') then
    raise exception 'the owner of the account has yet to say whether it was them' using errcode = 'MN014';
  end if;
  return new;
end $$;
create trigger webhook_endpoints_keep_suspended before update of state on webhook_endpoints for each row
  when (new.state = 'enabled' and old.state = 'disabled') execute function keep_suspended();
