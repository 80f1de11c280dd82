-- Up Migration
-- An address that an app put on record by itself proves nothing: whoever holds the app's key may be the one who links.

alter table member_addresses add column set_by_app uuid;
comment on column member_addresses.set_by_app is 'The app that put it there by itself; null: a person, or plain SQL.';

create or replace function note_member_address() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  app constant uuid := case when asking_user() is null then nullif(current_setting('minaret.app_id', true), '')::uuid end;
begin
  insert into member_addresses (member_id, set_by, set_by_app) values (new.id, asking_user(), app)
  on conflict (member_id) do update set set_by = excluded.set_by, set_by_app = excluded.set_by_app, set_at = excluded.set_at;
  return null;
end
$$;

update member_addresses known set set_by_app = written.app_id
from ua_members member cross join lateral (
  select user_id, app_id from written_rows
  where hashtextextended(record_key, 0) = hashtextextended(member.id::text, 0) and table_name = 'ua_members'
    and record_key = member.id::text and (kind = 'insert' or 'email' = any (changed_columns))
  order by id desc limit 1
) written
where member.id = known.member_id and known.set_by is null and written.user_id is null and written.app_id is not null;

create or replace function is_proven_by_address(link member_links) returns boolean
language plpgsql stable security definer set search_path from current as $$
begin
  return not link.needs_second and exists (
    select from member_addresses known
      join ua_members member on member.id = known.member_id
      join minaret.users account on account.id = link.user_id and account.email_verified_at is not null
    where known.member_id = link.member_id and lower(member.email) = lower(account.email)
      and known.set_at <= now() - interval '30 days'
      and known.set_by_app is null
      and known.set_by is distinct from link.user_id
      and (link.linked_by is null or known.set_by is distinct from link.linked_by));
end
$$;

select pin_search_paths();
