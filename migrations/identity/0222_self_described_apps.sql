-- Up Migration

-- Apps that describe themselves (OAuth Client ID Metadata Documents): the client_id is the https address of a document about the
-- app. Nobody registers them, so reviewers decide about their hosts.
create table app_hosts (
  host text primary key check (host ~ '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$'),
  state text not null default 'new' check (state in ('new', 'approved', 'limited', 'blocked')),
  scopes text[] not null default '{}',
  words text check (length(words) <= 2000),
  decided_by uuid references users on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  check (state <> 'approved' or cardinality(scopes) > 0),
  check ((state = 'new') = (decided_at is null))
);
comment on table app_hosts is 'Where apps that describe themselves have their documents, and what reviewers decided about each host.';
comment on column app_hosts.state is 'new and limited: public data and what is the person''s own, limited without the latter; approved: scopes; blocked: nothing.';
comment on column app_hosts.scopes is 'What a reviewer lets the apps of an approved host ask for.';
select annotate('app_hosts', 'decided_by', '@erase retain: an identifier that leads to no name any more');

-- What its apps may ask for.
create function scopes_of_host(named text) returns text[] language sql stable as $$
  select case state
    when 'approved' then scopes
    when 'limited' then '{offline_access,masjid:read,events:read,prayer-times:read}'::text[]
    else '{openid,profile,email,offline_access,masjid:read,events:read,prayer-times:read,donations:read,members:read}'::text[] end
  from minaret.app_hosts where host = named
$$;

create function check_host_decision() returns trigger language plpgsql as $$
begin
  perform minaret.check_decider(new.decided_by, null);
  return new;
end $$;
create trigger app_hosts_check before update on app_hosts for each row
  when (new.state <> 'new' and new.decided_at is distinct from old.decided_at) execute function check_host_decision();

-- contract: earlier versions read client ids of whatever length, and make none with this rule
do $$
begin
  execute (select format('alter table apps drop constraint %I', conname) from pg_constraint
    where conrelid = 'apps'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%length(client_id)%');
end $$;
alter table apps drop constraint apps_owner_check;
alter table apps add column host text references app_hosts;
alter table apps add column own_rows boolean not null default false;
alter table apps add column fresh_until timestamptz;
comment on column apps.host is 'Of an app that describes itself: where its document is. Null for one that somebody registered.';
comment on column apps.own_rows is 'Whether it reaches only what is the person''s own, whatever else the person may read.';
comment on column apps.fresh_until is 'Of an app that describes itself: until when its document need not be read again.';
alter table apps add constraint apps_client_id_check check (length(client_id) between 8 and case when host is null then 100 else 2000 end);
alter table apps add constraint apps_owner_check check (owner_id is not null or grants_to = 'masjid' or host is not null);
alter table apps add constraint apps_host_check check (host is null or (owner_id is null and kind = 'public' and device_flow = 'off'
  and grants_to = 'person' and fresh_until is not null and plain_claims = '{}' and starts_with(client_id, 'https://' || host || '/')));
create index apps_host on apps (host) where host is not null;

-- Its rights are those of its host, whatever is written.
create function keep_rights_of_host() returns trigger language plpgsql as $$
declare
  decided constant text := (select state from minaret.app_hosts where host = new.host);
begin
  if tg_op = 'INSERT' and (select count(*) from minaret.apps where host = new.host) >= 200 then
    raise exception 'a host describes at most 200 apps' using errcode = 'MN001';
  end if;
  new.scopes := minaret.scopes_of_host(new.host);
  new.own_rows := decided <> 'approved';
  if decided = 'blocked' and new.state = 'approved' then
    raise exception 'the host is blocked' using errcode = 'MN001';
  end if;
  return new;
end $$;
create trigger apps_a_rights_of_host before insert or update on apps for each row
  when (new.host is not null) execute function keep_rights_of_host();

create function follow_host() returns trigger language plpgsql as $$
begin
  update minaret.apps set scopes = scopes, moved_by = new.decided_by, moved_because = new.words,
    state = case when new.state = 'blocked' then 'suspended' else 'approved' end
  where host = new.host and state in ('approved', 'suspended') and deleted_at is null;
  return null;
end $$;
create trigger app_hosts_follow after update on app_hosts for each row
  when (new.decided_at is distinct from old.decided_at) execute function follow_host();

-- Whoever takes the document over could have people's consent lead elsewhere: they are asked again, and what was issued ends.
create function ask_again() returns trigger language plpgsql as $$
begin
  update minaret.consents set withdrawn_at = now() where app_id = new.id and withdrawn_at is null;
  update minaret.grants set revoked_at = now() where app_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger apps_ask_again after update on apps for each row
  when (new.host is not null and (new.redirect_uris <> old.redirect_uris)) execute function ask_again();
