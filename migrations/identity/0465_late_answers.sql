-- Up Migration
-- An account is taken back whole also if its owner answers late, and with the apps that somebody else registered.

-- From when on an answer looks at what was done: 30 days before the account was taken back, however late its owner answers.
create function looked_at_since(person uuid) returns timestamptz language sql stable as $$
  select least(now(), min(at)) - interval '30 days' from minaret.take_backs
  where user_id = person and because = 'link' and (answered_at is null or at > now() - interval '60 days')
$$;
comment on function looked_at_since is 'Since when what an account did can be suspended by an answer.';

create or replace function name_last_own(person uuid, moment timestamptz) returns void language plpgsql as $$
declare
  since constant timestamptz := minaret.looked_at_since(person);
  back bigint;
  one bigint;
begin
  perform minaret.lock_take_back(person);
  perform minaret.end_meanwhile(person);
  perform minaret.collect_acts(person, since);
  insert into minaret.take_backs (user_id, because, last_own, answered_at) values (person, 'question', moment, now()) returning id into back;
  update minaret.take_backs set last_own = moment, answered_at = now() where user_id = person;
  perform minaret.suspend_acts(person, greatest(moment, since), back, true);
  for one in
    select act.id from minaret.account_acts act join minaret.take_backs suspended on suspended.id = act.take_back_id
    where suspended.user_id = person and not exists (select from minaret.acts_since(person, moment) later where later.id = act.id)
    order by act.id
  loop
    perform minaret.try_redo(one);
  end loop;
end $$;

-- An app that the account registered is suspended as if it had been deleted. It comes back with what it had: what others added to it
-- is not ended meanwhile, as nothing of it works while its app is deleted.
create or replace function end_app() returns trigger language plpgsql as $$
begin
  perform minaret.revoke('app', new.id::text);
  if minaret.is_taking_back() then return null; end if;
  update minaret.api_keys set revoked_at = now() where app_id = new.id and revoked_at is null;
  update minaret.grants set revoked_at = now() where app_id = new.id and revoked_at is null;
  if new.deleted_at is not null then
    update minaret.app_secrets set revoked_at = now() where app_id = new.id and revoked_at is null;
    update minaret.app_changes set state = 'withdrawn', decided_at = now() where app_id = new.id and state = 'pending';
  end if;
  return null;
end $$;

-- As before, except that whatever was done to an app that is deleted can be taken back as well.
create or replace function check_app_move() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'pending' then
      raise exception 'an app begins as pending, not as %', new.state using errcode = 'MN001';
    end if;
    return new;
  end if;
  if old.deleted_at is not null and not minaret.is_taking_back() then
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

create trigger apps_added_acts after insert on apps for each row
  when (new.development_of is null and new.owner_id is not null) execute function note_act();

update take_back_rules set watched = watched || '{access_seconds,refresh_idle_seconds,refresh_total_seconds}'::text[]
where table_name = 'minaret.apps';

-- From before this record: only what people registered themselves.
insert into account_acts (actor_id, at, act, table_name, key, place, source)
select registered.actor_id, registered.at, 'added', 'minaret.apps', jsonb_build_object('id', app.id), app.id,
  'before this record apps ' || app.id::text
from apps app join audit_log registered on registered.app_id = app.id and registered.action = 'app.registered'
  and registered.actor_id is not null and registered.at > now() - interval '30 days'
where app.deleted_at is null and app.development_of is null and app.owner_id is not null
  and exists (select from users where id = registered.actor_id)
on conflict (source) do nothing;
