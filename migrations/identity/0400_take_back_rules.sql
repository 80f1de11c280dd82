-- Up Migration
-- What gives access to an account or hears about it, table by table, and what becomes of it when the account is taken back:
--   end      it stops at once, for good: sessions, tokens, remembered browsers
--   suspend  what the account added, replaced or granted lately stops at once, and can be resumed
--   none     it is left alone, for the reason that is given
-- A test compares this table with the schema, so that no table is forgotten.
create table take_back_rules (
  table_name text primary key check (table_name ~ '^(minaret|public)\.[a-z_]+$'),
  action text not null check (action in ('end', 'suspend', 'none')),
  reason text,
  kind text check (kind ~ '^[a-z_]+$'),
  key_columns text[],
  added_by text,
  watched text[] not null default '{}',
  ending jsonb,
  counts text not null default 'true',
  app text,
  comes_back boolean not null default true,
  check ((action = 'suspend') = (kind is not null and key_columns is not null)),
  check ((action = 'none') = (reason is not null))
);
comment on table take_back_rules is 'What gives access to an account or hears about it, and what becomes of it when the account is taken back.';
comment on column take_back_rules.kind is 'What people call it; the pages have its name in each language.';
comment on column take_back_rules.added_by is 'The column that says who added a row.';
comment on column take_back_rules.watched is 'The columns whose former values are recorded.';
comment on column take_back_rules.ending is 'The values that stop a row; null: the row is taken out of its table and kept in account_acts.';
comment on column take_back_rules.counts is 'A condition in SQL: which rows give access.';
comment on column take_back_rules.app is 'The column with the app that a row belongs to.';
comment on column take_back_rules.comes_back is 'Whether what was removed is restored.';

insert into take_back_rules (table_name, action, kind, key_columns, added_by, watched, ending, counts, app, comes_back) values
  ('minaret.linked_identities', 'suspend', 'provider', '{id}', 'user_id', '{}', null, 'true', null, true),
  ('minaret.passkeys', 'suspend', 'passkey', '{id}', 'user_id', '{}', null, 'true', null, true),
  ('minaret.totp_factors', 'suspend', 'authenticator', '{user_id}', 'user_id', '{secret,confirmed_at}', null, 'confirmed_at is not null', null, true),
  ('minaret.recovery_codes', 'suspend', 'recovery_codes', '{user_id,code_hash}', 'user_id', '{}', null, 'used_at is null', null, true),
  ('minaret.consents', 'suspend', 'consent', '{user_id,app_id}', 'user_id', '{scopes,claims,withdrawn_at}', '{"withdrawn_at":"now"}', 'withdrawn_at is null', 'app_id', false),
  ('minaret.apps', 'suspend', 'app', '{id}', null,
    '{owner_id,jwks,jwks_uri,redirect_uris,post_logout_redirect_uris,backchannel_logout_uri,client_authentication,device_flow,dpop_bound,scopes,requested_scopes,deleted_at}',
    '{"deleted_at":"now"}', 'development_of is null', 'id', true),
  ('minaret.app_secrets', 'suspend', 'app_secret', '{id}', 'created_by', '{revoked_at}', '{"revoked_at":"now"}', 'revoked_at is null', 'app_id', true),
  ('minaret.api_keys', 'suspend', 'api_key', '{id}', 'created_by', '{revoked_at}', '{"revoked_at":"now"}', 'revoked_at is null', 'app_id', true),
  ('minaret.app_members', 'suspend', 'app_member', '{app_id,user_id}', 'added_by', '{role}', null, 'true', 'app_id', true),
  ('minaret.app_invitations', 'suspend', 'app_invitation', '{id}', 'invited_by', '{withdrawn_at}', '{"withdrawn_at":"now"}', 'accepted_at is null and withdrawn_at is null', 'app_id', true),
  ('minaret.app_changes', 'suspend', 'app_change', '{id}', 'requested_by', '{}', null, 'state = ''pending''', 'app_id', true),
  ('minaret.saved_queries', 'suspend', 'saved_query', '{id}', 'saved_by', '{query,variables}', null, 'true', 'app_id', true),
  ('minaret.webhook_endpoints', 'suspend', 'webhook', '{id}', 'created_by', '{url,tables,masjids,query,state,disabled_because}',
    '{"state":"disabled","disabled_because":"owner"}', 'true', 'app_id', true),
  ('minaret.webhook_secrets', 'suspend', 'webhook_secret', '{id}', null, '{expires_at}', null, 'true', null, true),
  ('minaret.masjid_invitations', 'suspend', 'masjid_invitation', '{id}', 'invited_by', '{withdrawn_at}', '{"withdrawn_at":"now"}', 'accepted_at is null and withdrawn_at is null', null, true),
  ('public.ua_capabilities', 'suspend', 'capability', '{id}', 'granted_by', '{}', '{"withdrawn_at":"now"}', 'withdrawn_at is null', null, true),
  ('public.ua_members', 'suspend', 'masjid_member', '{id}', null, '{role,status,user_id}', null, 'false', null, true),
  ('minaret.grants', 'suspend', 'screen', '{id}', null, '{}', '{"revoked_at":"now"}', 'masjid_id is not null and revoked_at is null', null, false),
  ('minaret.users', 'suspend', 'account_right', '{id}', null, '{is_admin,is_reviewer}', null, 'true', null, true);

insert into take_back_rules (table_name, action) values
  ('minaret.sessions', 'end'),
  ('minaret.devices', 'end'),
  ('minaret.sign_in_challenges', 'end'),
  ('minaret.refresh_tokens', 'end'),
  ('minaret.authorization_codes', 'end'),
  ('minaret.authorization_requests', 'end'),
  ('minaret.device_codes', 'end'),
  ('minaret.mail_tokens', 'end'),
  ('minaret.email_changes', 'end'),
  ('minaret.data_exports', 'end'),
  ('minaret.change_handles', 'end'),
  ('minaret.erasures', 'end');

insert into take_back_rules (table_name, action, reason) values
  ('minaret.account_acts', 'none', 'it is the record by which an account is taken back'),
  ('minaret.take_backs', 'none', 'it is the record of accounts that were taken back'),
  ('minaret.app_drafts', 'none', 'a form that nobody has sent gives no access'),
  ('minaret.app_hosts', 'none', 'a reviewer''s decision: it is in the history, and other reviewers can revise it'),
  ('minaret.app_masjid_choices', 'none', 'a record of reviewers'' decisions, which other reviewers can revise'),
  ('minaret.app_masjids', 'none', 'reviewers'' decisions, which other reviewers can revise'),
  ('minaret.app_messages', 'none', 'what was said in a review; it gives no access'),
  ('minaret.app_moves', 'none', 'the history of apps; owners and reviewers move an app back'),
  ('minaret.app_notes', 'none', 'what reviewers noted; it gives no access'),
  ('minaret.app_tails', 'none', 'who is on the team looks at requests, for minutes'),
  ('minaret.audit_log', 'none', 'a record of what happened'),
  ('minaret.read_log', 'none', 'a record of what happened'),
  ('minaret.consent_texts', 'none', 'a record of what was shown'),
  ('minaret.erased_accounts', 'none', 'digests that open nothing'),
  ('minaret.images', 'none', 'copies of public pictures'),
  ('minaret.logout_notices', 'none', 'news that a person signed out, to addresses that are covered with their app'),
  ('minaret.masjid_requests', 'none', 'a request that a reviewer decides, for this account alone'),
  ('minaret.outbox', 'none', 'mail that was sent or waits; the links in it are covered by their tokens'),
  ('minaret.revocations', 'none', 'it only takes access away'),
  ('minaret.screens', 'none', 'a screen stops with its grant, which is covered'),
  ('minaret.signing_keys', 'none', 'keys of the service itself'),
  ('minaret.tailed_requests', 'none', 'requests of apps, for minutes, shown to their team'),
  ('minaret.usage_errors', 'none', 'figures, shown to the team of the app'),
  ('minaret.usage_hours', 'none', 'figures, shown to the team of the app'),
  ('minaret.usage_minutes', 'none', 'figures, shown to the team of the app'),
  ('minaret.usage_queries', 'none', 'figures, shown to the team of the app'),
  ('minaret.used_passkey_challenges', 'none', 'digests of what was used and opens nothing any more'),
  ('minaret.used_token_ids', 'none', 'digests of what was used and opens nothing any more'),
  ('minaret.webhook_deliveries', 'none', 'they are sent by their endpoint, which is covered'),
  ('minaret.webhook_ids', 'none', 'identifiers that were used and open nothing'),
  ('public.consent_records', 'none', 'what a masjid recorded about its members; its audit trail says who wrote it'),
  ('public.deleted_rows', 'none', 'it says which rows were deleted'),
  ('public.followed_sources', 'none', 'what a masjid publishes: its audit trail names who changed it, and its staff undo it'),
  ('public.idempotent_requests', 'none', 'answers that were given, for a day'),
  ('public.pc_hijri_authorities', 'none', 'a public address that only administrators of the service write'),
  ('public.pc_iqamah_changes', 'none', 'what a masjid publishes: its audit trail names who changed it, and its staff undo it'),
  ('public.pc_prayer_sources', 'none', 'what a masjid publishes: its audit trail names who changed it, and its staff undo it'),
  ('public.pc_timetables', 'none', 'what a masjid publishes: its audit trail names who changed it, and its staff undo it'),
  ('public.timetable_drafts', 'none', 'a draft that nobody has published gives no access'),
  ('public.ua_donations', 'none', 'records of gifts; they give no access'),
  ('public.ua_households', 'none', 'an address where people live; it gives no access'),
  ('public.ua_recurring_donations', 'none', 'records of gifts; they give no access'),
  ('public.unpublished_gifts', 'none', 'sums that are about to be published'),
  ('public.up_announcements', 'none', 'what a masjid publishes: its audit trail names who changed it, and its staff undo it'),
  ('public.up_event_rsvps', 'none', 'who comes to an event; it gives no access'),
  ('public.up_entities', 'none', 'a public address that reviewers check'),
  ('public.up_events', 'none', 'what a masjid publishes: its audit trail names who changed it, and its staff undo it'),
  ('public.up_masjids', 'none', 'what a masjid publishes: its audit trail names who changed it, and its staff undo it'),
  ('public.written_rows', 'none', 'a record of what happened');
