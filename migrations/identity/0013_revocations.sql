-- Up Migration

-- What no longer counts although it has not expired: the news that every process must have within a second.
-- A row is kept for as long as a token that it ends could still be shown.
create table revocations (
  kind text not null check (kind in ('token', 'grant', 'app', 'user', 'key')),
  subject text not null check (length(subject) between 1 and 200),
  revoked_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (kind, subject)
);
comment on column revocations.subject is 'The jti of a token; the id of a grant, app, user or key.';
comment on column revocations.revoked_at is 'For an app or a user: what was issued until then is ended, what comes later counts.';
create index revocations_expires_at on revocations (expires_at);

create function notify_revocation() returns trigger language plpgsql as $$
begin
  perform pg_notify('minaret_revocations', json_build_object(
    'kind', new.kind, 'subject', new.subject,
    'revokedAt', extract(epoch from new.revoked_at), 'expiresAt', extract(epoch from new.expires_at))::text);
  return null;
end $$;
create trigger revocations_notify after insert or update on revocations
  for each row execute function notify_revocation();

-- Access tokens live for an hour; the second hour is for clocks that disagree.
create function revoke(revoked_kind text, revoked_subject text) returns void language sql as $$
  insert into minaret.revocations (kind, subject, expires_at)
  values (revoked_kind, revoked_subject, clock_timestamp() + interval '2 hours')
  on conflict (kind, subject) do update set revoked_at = excluded.revoked_at, expires_at = excluded.expires_at
$$;
