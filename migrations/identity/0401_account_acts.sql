-- Up Migration
-- What an account added, replaced or removed lately among what gives access (take_back_rules), with the former values, so that all of it
-- can be undone when the account is taken back, and done again when it was its owner after all. Triggers write it, in the transaction of the act.
create table take_backs (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  at timestamptz not null default clock_timestamp(),
  because text not null check (because in ('link', 'question')),
  last_own timestamptz,
  answered_at timestamptz,
  meanwhile jsonb not null default '[]',
  check ((answered_at is null) = (last_own is null))
);
create index take_backs_user on take_backs (user_id, at);
comment on table take_backs is E'@erase delete\nAccounts that were taken back, and the last sign-in that was their owner''s.';
comment on column take_backs.user_id is '@subject account';
comment on column take_backs.because is 'link: of the mail about a change of address. question: the person said it, signed in.';
comment on column take_backs.meanwhile is E'@export none: settings of apps\nValues that are in force until the owner answers, where neither the former nor the latest may be.';
comment on column take_backs.last_own is 'What happened until then was the owner; null: they have not said yet, and nothing is removed.';

create table account_acts (
  id bigint generated always as identity primary key,
  actor_id uuid references users on delete cascade,
  at timestamptz not null default now(),
  act text not null check (act in ('added', 'replaced', 'removed')),
  table_name text not null references take_back_rules,
  key jsonb not null,
  before jsonb,
  after jsonb,
  place uuid,
  grantee uuid,
  source text unique,
  take_back_id bigint references take_backs on delete cascade,
  undone_at timestamptz,
  held jsonb,
  failed_at timestamptz,
  check ((undone_at is null) = (take_back_id is null))
);
create index account_acts_actor on account_acts (actor_id, at);
create index account_acts_take_back on account_acts (take_back_id) where take_back_id is not null;
create index account_acts_grantee on account_acts (actor_id, place) where grantee is not null;
create index account_acts_suspended on account_acts (grantee, place) where undone_at is not null;
create index account_acts_at on account_acts (at);
comment on table account_acts is E'@erase delete\nWhat accounts added, replaced and removed lately among what gives access, with former values.';
comment on column account_acts.actor_id is E'@subject account\nWho did it. Whoever accepts an invitation is added by the account that sent it.';
comment on column account_acts.key is 'The primary key of the row.';
comment on column account_acts.before is E'@export none: digests and sealed secrets\nThe values that were replaced, or the row that was removed.';
comment on column account_acts.after is E'@export none: digests and sealed secrets\nThe values that replaced them.';
comment on column account_acts.place is 'The app or the masjid where it gives access.';
comment on column account_acts.grantee is E'@erase retain: an identifier that leads to no name any more\nThe account that was given access there.';
comment on column account_acts.source is 'Where it was recorded, if not by a trigger of ours: the masjid''s own records.';
comment on column account_acts.undone_at is 'Since when it is suspended; null: it is in force.';
comment on column account_acts.held is E'@export none: digests and sealed secrets\nWhat was taken out or stopped, to resume it.';
comment on column account_acts.failed_at is 'When it could not be suspended or resumed, as something else stands in its place.';

-- The log says who acts in a transaction, whatever the act is.
create function note_acting_user() returns trigger language plpgsql as $$
begin
  perform set_config('minaret.acting_user', coalesce(new.actor_id::text, 'nobody'), true);
  return null;
end $$;
create trigger audit_log_acting_user after insert on audit_log for each row execute function note_acting_user();

-- Whoever accepts an invitation, or approves what a team asked for, acts for those who sent and asked.
create function note_granting_user() returns trigger language plpgsql as $$
begin
  perform set_config('minaret.granting_user', (to_jsonb(new) ->> tg_argv[0]), true);
  return null;
end $$;
create trigger app_invitations_granting_user after update of accepted_by on app_invitations for each row
  when (new.accepted_by is not null) execute function note_granting_user('invited_by');
create trigger app_changes_granting_user after update of state on app_changes for each row
  when (new.state = 'approved') execute function note_granting_user('requested_by');

create function setting_as_uuid(name text) returns uuid language sql stable as $$
  select case when current_setting(name, true) ~ '^[0-9a-f-]{36}$' then current_setting(name, true)::uuid end
$$;

create function gives_access(rule take_back_rules, document jsonb) returns boolean language plpgsql stable as $$
declare
  answer boolean;
begin
  if rule.counts = 'true' then return true; end if;
  execute format('select %s from jsonb_populate_record(null::%s, $1)', rule.counts, rule.table_name) into answer using document;
  return coalesce(answer, false);
end $$;

create function has_ended(rule take_back_rules, document jsonb) returns boolean language sql immutable as $$
  select rule.ending is not null and bool_and(case ending.value when 'now' then document ->> ending.key is not null
    else document ->> ending.key = ending.value end)
  from jsonb_each_text(rule.ending) ending
$$;

create function chosen_values(document jsonb, names text[]) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(name, document -> name), '{}') from unnest(names) name
$$;

create function note_act() returns trigger language plpgsql as $$
declare
  rule minaret.take_back_rules;
  was constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  becomes constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  document constant jsonb := coalesce(becomes, was);
  kind_of_act text;
  changed text[];
  own uuid;
begin
  if current_setting('minaret.taking_back', true) = 'on' then return null; end if;
  select * into rule from minaret.take_back_rules where table_name = tg_table_schema || '.' || tg_table_name;
  if tg_op = 'UPDATE' then
    changed := array(select name from unnest(rule.watched) name where was -> name is distinct from becomes -> name);
    -- Scopes alone are a reviewer's decision; other reviewers can revise it.
    if changed = '{}' or tg_table_name = 'apps' and changed = '{scopes}' then return null; end if;
    kind_of_act := case when minaret.has_ended(rule, becomes) and not minaret.has_ended(rule, was) then 'removed' else 'replaced' end;
  else
    if not minaret.gives_access(rule, document) then return null; end if;
    kind_of_act := case tg_op when 'INSERT' then 'added' else 'removed' end;
  end if;
  if kind_of_act = 'removed' and not rule.comes_back then return null; end if;
  own := case when rule.added_by = 'user_id' then (document ->> 'user_id')::uuid end;
  -- What goes with its app or its person is not an act of anybody.
  if rule.app is not null and not exists (select from minaret.apps where id = (document ->> rule.app)::uuid)
    or exists (select from minaret.erasures where user_id = own and started_at is not null) then
    return null;
  end if;
  insert into minaret.account_acts (actor_id, act, table_name, key, before, after, place, grantee)
  values (
    case when kind_of_act = 'added' then (document ->> rule.added_by)::uuid else own end, kind_of_act, rule.table_name,
    minaret.chosen_values(document, rule.key_columns),
    case tg_op when 'DELETE' then was when 'UPDATE' then minaret.chosen_values(was, changed) end,
    case tg_op when 'UPDATE' then minaret.chosen_values(becomes, changed) end,
    (document ->> rule.app)::uuid,
    case when tg_table_name = 'app_members' then (document ->> 'user_id')::uuid end);
  return null;
end $$;
comment on function note_act is 'Records what was added, replaced or removed in a table of take_back_rules.';

-- At the end of the transaction it is known who acted. An act that nobody signed in did is not kept: commands, jobs, reviewers' decisions
-- about others. While an account is taken back, and until its owner has signed in again, nobody acts for it, nor do those act whom it had
-- let in at that place: what began before is refused.
create function settle_act() returns trigger language plpgsql as $$
declare
  acting constant text := coalesce(current_setting('minaret.acting_user', true), '');
  asking constant uuid := minaret.setting_as_uuid('minaret.user_id');
  granting constant uuid := case when new.table_name in ('minaret.app_members', 'minaret.apps') then minaret.setting_as_uuid('minaret.granting_user') end;
  person uuid;
begin
  person := coalesce(
    granting,
    case when new.act = 'added' then new.actor_id end,
    case when acting not in ('', 'nobody') then acting::uuid end,
    case when acting = '' then coalesce(asking, new.actor_id) end);
  if person is null or not exists (select from minaret.users where id = person)
    or new.table_name = 'minaret.app_members' and new.act = 'added' and person = new.grantee then
    delete from minaret.account_acts where id = new.id;
    return null;
  end if;
  if not pg_try_advisory_xact_lock_shared(hashtextextended(person::text, 6206190))
    or exists (select from minaret.take_backs back where back.user_id = person and back.because = 'link'
      and back.at > now() - interval '1 day'
      and not exists (select from minaret.sessions where user_id = person and created_at > back.at))
    or exists (select from minaret.account_acts given where given.grantee = person and given.place = new.place
      and given.undone_at is not null and given.act = 'added' and given.table_name = 'minaret.app_members') then
    raise exception 'the account is being taken back: sign in again' using errcode = 'MN014';
  end if;
  update minaret.account_acts set actor_id = person where id = new.id and actor_id is distinct from person;
  return null;
end $$;
create constraint trigger account_acts_settle after insert on account_acts deferrable initially deferred
  for each row when (new.source is null) execute function settle_act();

create trigger linked_identities_acts after insert or delete on linked_identities for each row execute function note_act();
create trigger passkeys_acts after insert or delete on passkeys for each row execute function note_act();
create trigger totp_factors_acts after insert or delete or update of secret on totp_factors for each row execute function note_act();
create trigger recovery_codes_acts after insert or delete on recovery_codes for each row execute function note_act();
create trigger consents_acts after insert or update on consents for each row execute function note_act();
create trigger app_secrets_acts after insert or update of revoked_at on app_secrets for each row execute function note_act();
create trigger api_keys_acts after insert or update of revoked_at on api_keys for each row execute function note_act();
create trigger app_members_acts after insert or delete or update on app_members for each row execute function note_act();
create trigger app_invitations_acts after insert or update of withdrawn_at on app_invitations for each row execute function note_act();
create trigger app_changes_acts after insert on app_changes for each row execute function note_act();
create trigger saved_queries_acts after insert or update or delete on saved_queries for each row execute function note_act();
create trigger webhook_endpoints_acts after insert or delete or update of url, tables, masjids, query, state on webhook_endpoints
  for each row execute function note_act();
create trigger webhook_secrets_acts after insert or delete or update on webhook_secrets for each row execute function note_act();
create trigger masjid_invitations_acts after insert or update of withdrawn_at on masjid_invitations for each row execute function note_act();
create trigger grants_acts after insert on grants for each row when (new.masjid_id is not null) execute function note_act();
create trigger apps_acts after update on apps for each row
  when (new.development_of is null and old.owner_id is not null) execute function note_act();
create trigger users_acts after update of is_admin, is_reviewer on users for each row
  when ((new.is_admin, new.is_reviewer) is distinct from (old.is_admin, old.is_reviewer)) execute function note_act();

-- From before this record: what was added lately, as far as the rows say by whom. Former values are not known.
insert into account_acts (actor_id, at, act, table_name, key, place, grantee, source)
select actor, at, 'added', 'minaret.' || name, key, place, grantee, 'before this record ' || name || ' ' || key
from (
  select user_id as actor, created_at as at, 'linked_identities' as name, jsonb_build_object('id', id) as key, null::uuid as place, null::uuid as grantee from linked_identities
  union all select user_id, created_at, 'passkeys', jsonb_build_object('id', id), null, null from passkeys
  union all select user_id, confirmed_at, 'totp_factors', jsonb_build_object('user_id', user_id), null, null from totp_factors where confirmed_at is not null
  union all select user_id, created_at, 'recovery_codes', jsonb_build_object('user_id', user_id, 'code_hash', code_hash), null, null from recovery_codes
  union all select user_id, given_at, 'consents', jsonb_build_object('user_id', user_id, 'app_id', app_id), app_id, null from consents where withdrawn_at is null
  union all select created_by, created_at, 'app_secrets', jsonb_build_object('id', id), app_id, null from app_secrets where revoked_at is null
  union all select created_by, created_at, 'api_keys', jsonb_build_object('id', id), app_id, null from api_keys where revoked_at is null and app_id is not null
  union all select added_by, added_at, 'app_members', jsonb_build_object('app_id', app_id, 'user_id', user_id), app_id, user_id from app_members where added_by <> user_id
  union all select invited_by, created_at, 'app_invitations', jsonb_build_object('id', id), app_id, null from app_invitations where accepted_at is null and withdrawn_at is null
  union all select requested_by, requested_at, 'app_changes', jsonb_build_object('id', id), app_id, null from app_changes where state = 'pending'
  union all select created_by, created_at, 'webhook_endpoints', jsonb_build_object('id', id), app_id, null from webhook_endpoints
  union all select invited_by, created_at, 'masjid_invitations', jsonb_build_object('id', id), null, null from masjid_invitations where accepted_at is null and withdrawn_at is null
  union all select created_by, created_at, 'grants', jsonb_build_object('id', grant_id), masjid_id, null from screens
) known
where actor is not null and at > now() - interval '30 days';
