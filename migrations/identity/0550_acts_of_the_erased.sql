-- Up Migration
-- A thief lets somebody in who lets others in, and is erased: the records of what they did would go with them, and nobody could undo it.
-- When an erasure begins, they pass to whoever had given the access, without the name of the one who is erased.
create function givers_of(person uuid) returns setof uuid language plpgsql stable as $$
begin
  return query select actor_id from minaret.account_acts where grantee = person
    union select granted_by from public.ua_capabilities where user_id = person and granted_at > now() - interval '60 days'
    union select written.user_id from public.ua_members member join public.written_rows written
      on hashtextextended(written.record_key, 0) = hashtextextended(member.id::text, 0) and written.table_name = 'ua_members'
        and written.record_key = member.id::text and written.at > now() - interval '60 days'
    where member.user_id = person;
end $$;
comment on function givers_of is 'Whoever has lately given an account access to an app, or a role or capabilities at a masjid.';

create function pass_acts_on() returns trigger language plpgsql as $$
declare
  giver uuid;
begin
  perform minaret.collect_acts_of(new.user_id, now() - interval '60 days');
  for giver in select users.id from minaret.users where id in (select minaret.givers_of(new.user_id)) and id <> new.user_id loop
    perform minaret.collect_acts_of(giver, now() - interval '60 days');
    update minaret.account_acts act set actor_id = giver
    where act.actor_id = new.user_id and exists (
      select from minaret.account_acts given
      where given.actor_id = giver and given.grantee = new.user_id and given.place = act.place and given.at <= act.at
        and given.act in ('added', 'replaced'));
  end loop;
  return null;
end $$;
comment on function pass_acts_on is 'What an account did with access that others gave it stays known as theirs, once it is erased.';
create trigger erasures_pass_acts_on after update of started_at on erasures for each row
  when (old.started_at is null and new.started_at is not null) execute function pass_acts_on();
