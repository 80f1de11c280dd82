-- Up Migration

-- Queries that the team of an app keeps in the explorer. The whole team reads them; owners and developers save and delete.
create table saved_queries (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references apps on delete cascade,
  name text not null check (name = btrim(name) and length(name) between 1 and 100),
  query text not null check (length(query) between 1 and 20000),
  variables text not null default '' check (length(variables) <= 10000),
  saved_by uuid not null references users,
  saved_at timestamptz not null default now(),
  unique (app_id, name)
);
comment on table saved_queries is 'Queries that the teams of apps have saved in the explorer.';
create index saved_queries_author on saved_queries (saved_by);

create function may_develop(app uuid, person uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from minaret.app_members join minaret.apps on apps.id = app_members.app_id
    where app_id = app and user_id = person and role in ('owner', 'developer') and apps.deleted_at is null)
$$;
comment on function may_develop is 'Whether this person changes the app: an owner or a developer of its team.';

-- The lock makes those who save at once come one after the other, so that none of them is one too many.
create function check_saved_query() returns trigger language plpgsql as $$
begin
  if not minaret.may_develop(new.app_id, new.saved_by) then
    raise exception 'owners and developers of an app save its queries' using errcode = 'MN012';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(new.app_id::text, 6206174));
  if not exists (select from minaret.saved_queries where app_id = new.app_id and name = new.name)
      and (select count(*) from minaret.saved_queries where app_id = new.app_id) >= 100 then
    raise exception 'an app has at most 100 saved queries' using errcode = 'MN013';
  end if;
  return new;
end $$;
create trigger saved_queries_check before insert or update on saved_queries for each row execute function check_saved_query();

select annotate(target::regclass, name, line) from (values
  ('minaret.saved_queries', null, '@erase delete'),
  ('minaret.saved_queries', 'saved_by', '@subject account')
) declared (target, name, line);
