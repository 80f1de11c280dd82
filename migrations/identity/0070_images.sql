-- Up Migration

-- Logos of apps and pictures of people. Whoever chose the address of one could watch who opens our pages if browsers loaded it
-- from there, so we fetch it once, check it, and serve it ourselves. The address is the key: another picture is another
-- address, and a logo's address goes through the review.
create table images (
  address_hash bytea primary key check (octet_length(address_hash) = 32),
  address text not null check (length(address) <= 2000),
  state text not null default 'waiting' check (state in ('waiting', 'fetched', 'refused')),
  reason text check (length(reason) <= 200),
  content bytea check (octet_length(content) <= 524288),
  content_type text check (content_type in ('image/png', 'image/jpeg', 'image/webp')),
  attempts integer not null default 0,
  asked_at timestamptz not null default now(),
  try_at timestamptz not null default now(),
  check ((state = 'fetched') = (content is not null) and (content is null) = (content_type is null)),
  check ((state = 'refused') = (reason is not null))
);
create index images_waiting on images (try_at) where state = 'waiting';
comment on column images.address_hash is 'SHA-256 of the address: the name by which pages show the image.';
comment on column images.reason is 'Why the image cannot be shown.';
comment on column images.try_at is 'When it is fetched, or tried again.';

-- One that was refused is tried again when its owner saves it again, a minute later at the earliest.
create function ask_for_image(wanted text) returns void language plpgsql as $$
begin
  if wanted !~ '^https://' then
    return;
  end if;
  insert into minaret.images as image (address_hash, address) values (sha256(convert_to(wanted, 'UTF8')), wanted)
  on conflict (address_hash) do update
    set state = 'waiting', reason = null, attempts = 0, asked_at = now(), try_at = now()
    where image.state = 'refused' and image.asked_at < now() - interval '1 minute';
  perform pg_notify('minaret_images', '');
end
$$;

create function ask_for_logo() returns trigger language plpgsql as $$
begin
  perform minaret.ask_for_image(new.logo);
  return null;
end
$$;
create trigger ask_for_logo after insert or update of logo on apps
  for each row when (new.logo is not null) execute function ask_for_logo();

-- A reviewer sees the new logo before it is approved.
create function ask_for_proposed_logo() returns trigger language plpgsql as $$
begin
  perform minaret.ask_for_image(new.proposed ->> 'logo');
  return null;
end
$$;
create trigger ask_for_logo after insert or update of proposed on app_changes
  for each row when (new.proposed ->> 'logo' is not null) execute function ask_for_proposed_logo();

create function ask_for_picture() returns trigger language plpgsql as $$
begin
  perform minaret.ask_for_image(new.picture);
  return null;
end
$$;
create trigger ask_for_picture after insert or update of picture on users
  for each row when (new.picture is not null) execute function ask_for_picture();

select ask_for_image(logo) from apps where logo is not null and deleted_at is null;
select ask_for_image(proposed ->> 'logo') from app_changes where proposed ->> 'logo' is not null and state = 'pending';
select ask_for_image(picture) from users where picture is not null;
