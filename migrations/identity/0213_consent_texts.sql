-- Up Migration
-- What people were shown when they allowed an app, word for word: a consent is worth what was understood by it.
create table consent_texts (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  app_id uuid not null references apps on delete cascade,
  given_at timestamptz not null default now(),
  scopes text[] not null,
  claims text[] not null,
  language text not null check (length(language) <= 20),
  version text not null check (version ~ '^[0-9a-f]{16}$'),
  shown jsonb not null check (jsonb_typeof(shown) = 'object' and length(shown::text) <= 50000)
);
create index consent_texts_user on consent_texts (user_id, app_id, id);
create index consent_texts_app on consent_texts (app_id);
comment on table consent_texts is E'@erase delete\nThe words of the consent page, each time an app was allowed. Rows are only added.';
comment on column consent_texts.user_id is '@subject account';
comment on column consent_texts.version is 'A digest of the words: the same words have the same version.';

create function keep_consent_text() returns trigger language plpgsql as $$
begin
  raise exception 'what was shown never changes' using errcode = 'MN001';
end $$;
create trigger consent_texts_keep before update on consent_texts for each row execute function keep_consent_text();
