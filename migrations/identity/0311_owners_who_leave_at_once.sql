-- Up Migration

-- Two owners who leave at once waited for each other: one for the row of the other, whom it made the standing owner, and the other for
-- the app. Somebody who is an owner already is not written again, so only the app is waited for.
create or replace function add_standing_owner() returns trigger language plpgsql as $$
begin
  if exists (select from minaret.app_members where app_id = new.id and user_id = new.owner_id and role = 'owner') then
    return null;
  end if;
  insert into minaret.app_members (app_id, user_id, role) values (new.id, new.owner_id, 'owner')
  on conflict (app_id, user_id) do update set role = 'owner' where app_members.role <> 'owner';
  return null;
end $$;
