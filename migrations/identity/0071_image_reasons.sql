-- Up Migration

-- The reason is a code, so that pages can explain it in the reader's language. An image that waits for another try keeps the
-- reason of the last one. Sentences stored so far cannot be translated: those images are fetched again.
update images set state = 'waiting', reason = null, attempts = 0, try_at = now() where state = 'refused';

alter table images
  drop constraint images_reason_check,
  drop constraint images_check1,
  add column status integer check (status between 100 and 999),
  add constraint images_reason_check check (reason in ('not_https', 'port', 'no_host', 'host_not_found', 'not_public',
    'unreachable', 'too_slow', 'redirect', 'status', 'too_many_bytes', 'not_an_image', 'broken', 'animated', 'too_many_pixels')),
  add constraint images_refused_with_reason check (state <> 'refused' or reason is not null),
  add constraint images_fetched_without_reason check (state <> 'fetched' or reason is null),
  add constraint images_status_with_reason check ((status is not null) = (reason is not distinct from 'status'));
comment on column images.reason is 'Why the image cannot be shown, or why the last try failed.';
comment on column images.asked_at is 'When somebody last saved the address.';
comment on column images.try_at is 'When it is fetched or tried again; of one that was refused, the earliest time.';
comment on column images.status is 'The HTTP status with which the host answered instead.';

-- One that was refused is tried again when its owner saves it again, from its next try_at on. Not while an approved app names
-- it: reviewers approved the app without that image, and would not see what is fetched now.
-- Asking renews asked_at in any case, so that housekeeping leaves alone what a transaction under way is about to refer to.
create or replace function ask_for_image(wanted text) returns void language plpgsql as $$
declare
  wanted_hash constant bytea := sha256(convert_to(wanted, 'UTF8'));
begin
  if wanted !~ '^https://' then
    return;
  end if;
  insert into minaret.images (address_hash, address) values (wanted_hash, wanted)
  on conflict (address_hash) do update set asked_at = now();
  update minaret.images set state = 'waiting', reason = null, status = null, attempts = 0, try_at = now()
  where address_hash = wanted_hash and state = 'refused' and try_at <= now()
    and not exists (
      select from minaret.apps app
      where app.logo = wanted and app.state in ('approved', 'suspended') and app.deleted_at is null);
  perform pg_notify('minaret_images', '');
end
$$;

-- What a reviewer could not see is not fetched after the approval: a host that failed during the review could answer with
-- anything then.
create function drop_unseen_logo() returns trigger language plpgsql as $$
begin
  update minaret.images set state = 'refused', try_at = now()
  where address_hash = sha256(convert_to(new.logo, 'UTF8')) and state = 'waiting' and reason is not null;
  return null;
end
$$;
create trigger drop_unseen_logo after update of state, logo on apps
  for each row when (new.state = 'approved' and new.logo is not null) execute function drop_unseen_logo();
