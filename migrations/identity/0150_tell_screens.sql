-- Up Migration

-- An open screen follows the data of its masjid by the change log. What it shows besides is told here: its settings, and its logo
-- once we have it.
create function tell_screen() returns trigger language plpgsql as $$
begin
  perform pg_notify('minaret_screens', new.grant_id::text);
  return null;
end $$;
create trigger screens_tell after update of settings on screens for each row
  when (old.settings is distinct from new.settings) execute function tell_screen();

-- By hash: an address may be longer than a B-tree takes.
create index screens_logo on screens using hash ((settings ->> 'logo')) where settings ->> 'logo' is not null;

create function tell_screens_with_logo() returns trigger language plpgsql as $$
begin
  perform pg_notify('minaret_screens', grant_id::text) from minaret.screens where settings ->> 'logo' = new.address;
  return null;
end $$;
create trigger images_tell_screens after update of state on images for each row
  when (new.state = 'fetched' and old.state <> 'fetched') execute function tell_screens_with_logo();
