-- Up Migration
-- What becomes of a person's data when their account is erased, said in the comment of each table or column:
--   @subject account|member|email|household|session   the column says whose row it is (several words: any of them)
--   @erase delete            of a table: the person's rows are deleted; of a column: its value is
--   @erase anonymise         the value is replaced by one that says nothing
--   @erase retain: reason    it stays, and the person is told why
--   @erase none: reason      it looks personal by its name, and is not
--   @whose actor_id          the value belongs to the person in that column, not to the one whom the row is about
-- A rule of the table holds for all columns without one. docs/privacy.md; `minaret schema check` names what is missing.

create function annotate(target regclass, name text, line text) returns void
language plpgsql as $$
declare
  place constant smallint := coalesce((select attnum from pg_attribute where attrelid = target and attname = name), 0);
  before constant text := case place when 0 then obj_description(target, 'pg_class') else col_description(target, place) end;
begin
  if name is not null and place = 0 then
    raise exception 'there is no column % in %', name, target;
  end if;
  execute case place when 0 then format('comment on table %s is %L', target, concat_ws(E'\n', line, before))
    else format('comment on column %s.%I is %L', target, name, concat_ws(E'\n', line, before)) end;
end $$;
comment on function annotate is 'Puts an annotation before the comment of a column, or of a table if no column is given.';

select annotate(target::regclass, name, line) from (values
  ('minaret.users', null, '@erase retain: the account stays as an empty shell, so that records with its identifier stay whole'),
  ('minaret.users', 'id', '@subject account'),
  ('minaret.users', 'email', '@erase anonymise'),
  ('minaret.users', 'email_verified_at', '@erase delete'),
  ('minaret.users', 'name', '@erase anonymise'),
  ('minaret.users', 'picture', '@erase delete'),
  ('minaret.users', 'password_hash', '@erase delete'),
  ('minaret.users', 'is_reviewer', '@erase anonymise'),
  ('minaret.users', 'is_admin', '@erase anonymise'),
  ('minaret.sessions', null, '@erase delete'),
  ('minaret.sessions', 'user_id', '@subject account'),
  ('minaret.mail_tokens', null, '@erase delete'),
  ('minaret.mail_tokens', 'user_id', '@subject account'),
  ('minaret.email_changes', null, '@erase delete'),
  ('minaret.email_changes', 'user_id', '@subject account'),
  ('minaret.outbox', null, '@erase delete'),
  ('minaret.outbox', 'recipient', '@subject email'),
  ('minaret.consents', null, '@erase delete'),
  ('minaret.consents', 'user_id', '@subject account'),
  ('minaret.grants', null, '@erase delete'),
  ('minaret.grants', 'user_id', '@subject account'),
  ('minaret.authorization_codes', null, '@erase delete'),
  ('minaret.authorization_codes', 'user_id', '@subject account'),
  ('minaret.authorization_requests', null, '@erase delete'),
  ('minaret.authorization_requests', 'session_id', '@subject session'),
  ('minaret.device_codes', null, '@erase delete'),
  ('minaret.device_codes', 'session_id', '@subject session'),
  ('minaret.masjid_requests', null, '@erase delete'),
  ('minaret.masjid_requests', 'user_id', '@subject account'),
  ('minaret.masjid_invitations', null, '@erase delete'),
  ('minaret.masjid_invitations', 'email', '@subject email'),
  ('minaret.audit_log', null, '@erase retain: who did what has to stay provable; no name is left in it'),
  ('minaret.audit_log', 'user_id', '@subject account'),
  ('minaret.audit_log', 'actor_id', '@subject account'),
  ('minaret.audit_log', 'address', E'@erase delete\n@whose actor_id'),
  ('minaret.read_log', null, '@erase retain: how apps used data has to stay provable; it is deleted after 90 days'),
  ('minaret.read_log', 'user_id', '@subject account'),
  ('minaret.apps', 'name', '@erase none: the name of an app'),
  ('minaret.api_keys', 'name', '@erase none: what its app calls the key'),
  ('minaret.images', 'address', '@erase none: the address of an image; one that nobody uses any more is deleted within a day'),
  ('minaret.screens', 'name', '@erase none: what a masjid calls its screen'),
  ('minaret.screens', 'seen_address', '@erase none: the address of a screen in a hall'),
  ('minaret.screens', 'seen_agent', '@erase none: the program of a screen in a hall')
) declared (target, name, line);

-- Who decided, created or invited: an identifier, which leads to no name any more.
select annotate(target::regclass, name, '@erase retain: an identifier that leads to no name any more') from (values
  ('minaret.apps', 'owner_id'), ('minaret.apps', 'moved_by'), ('minaret.apps', 'masjids_by'),
  ('minaret.app_masjid_choices', 'chosen_by'), ('minaret.app_moves', 'moved_by'),
  ('minaret.app_changes', 'requested_by'), ('minaret.app_changes', 'decided_by'),
  ('minaret.app_secrets', 'created_by'), ('minaret.api_keys', 'created_by'), ('minaret.screens', 'created_by'),
  ('minaret.webhook_endpoints', 'created_by')
) pointing (target, name);
