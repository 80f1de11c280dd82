-- Up Migration
-- What becomes of the address of an erased account is nobody's to sign up with: the erasure could not end.
update users set email = 'unconfirmed-' || id || '@unreachable.invalid', updated_at = now()
where lower(email) like '%@erased.invalid' and email <> 'erased-' || id || '@erased.invalid';
alter table users add constraint users_erased_email_check
  check (lower(email) not like '%@erased.invalid' or email = 'erased-' || id || '@erased.invalid');

-- One that fails is tried again after all others.
alter table erasures add column tried_at timestamptz;
comment on column erasures.tried_at is 'When it was begun last: one that failed waits for the others.';

-- An app is not left to somebody who is about to be erased. If that happened all the same, it goes with them.
create or replace function team_shrank() returns trigger language plpgsql as $$
declare
  standing uuid;
  heir uuid;
begin
  select owner_id into standing from minaret.apps where id = old.app_id and deleted_at is null for update;
  if standing is not null and old.role = 'owner' then
    select user_id into heir from minaret.app_members member
    where app_id = old.app_id and role = 'owner'
      and not exists (select from minaret.erasures where erasures.user_id = member.user_id)
    order by added_at, user_id limit 1;
    if heir is null and exists (select from minaret.erasures where user_id = old.user_id and started_at is not null) then
      update minaret.apps set deleted_at = now(), moved_by = null, moved_because = null where id = old.app_id;
    elsif heir is null then
      raise exception 'an app keeps an owner' using errcode = 'MN008';
    elsif standing = old.user_id then
      update minaret.apps set owner_id = heir where id = old.app_id;
    end if;
  end if;
  if tg_op = 'DELETE' then
    update minaret.grants set revoked_at = now()
    where user_id = old.user_id and revoked_at is null
      and app_id = (select id from minaret.apps where development_of = old.app_id);
  end if;
  return null;
end $$;
