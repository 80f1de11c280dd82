-- Up Migration
-- An app that nobody has reviewed reaches what is the person's own, not what they may read and write as somebody who looks after
-- a masjid: the setting minaret.own_rows says so, and every function that opens a masjid's rows to such people heeds it.

create function own_rows_only() returns boolean
language sql stable parallel safe
begin atomic;
  select coalesce(current_setting('minaret.own_rows', true), '') = '1';
end;
comment on function own_rows_only is 'Whether only rows of the user who asks are meant, whatever the user may see besides.';

create or replace function masjids_in_full() returns uuid[]
language sql stable parallel safe security invoker
begin atomic;
  select case when own_rows_only() then '{}'::uuid[]
    when asks_for_user() or coalesce(current_setting('minaret.own_masjids', true), '') not in ('', '{}')
    then look_up_masjids_in_full() else '{}'::uuid[] end;
end;

create or replace function sees_masjids_in_full() returns boolean
language sql stable parallel safe
begin atomic;
  select not own_rows_only()
    and (asks_for_user() or coalesce(current_setting('minaret.own_masjids', true), '') not in ('', '{}'));
end;

create or replace function writing_masjids(capability text) returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when own_rows_only() then '{}'::uuid[]
    when asks_for_user() then look_up_writing_masjids($1::ua_capability)
    when coalesce(current_setting('minaret.own_masjids', true), '') not in ('', '{}') then own_app_masjids()
    else '{}'::uuid[] end;
end;

create or replace function writing_all() returns uuid
language sql stable parallel safe
begin atomic;
  select case when own_rows_only() then null
    when asks_for_user() and is_service_admin() or not asks_for_user() and all_in_full() is not null
    then '00000000-0000-0000-0000-000000000000'::uuid end;
end;

select pin_search_paths();
