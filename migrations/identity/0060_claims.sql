-- Up Migration

-- What userinfo may show beside `sub` is written down with the consent. `email` stands for `email_verified` too.
create function are_claims(claims text[]) returns boolean language sql immutable as $$
  select claims <@ array['email', 'name', 'picture']
$$;

-- Empty for what was agreed to before claims were recorded: such consents and grants show `sub` alone.
alter table consents add column claims text[] not null default '{}' check (minaret.are_claims(claims));
comment on column consents.claims is 'What the consent page named: the person agreed that the app sees these.';

alter table grants add column claims text[] not null default '{}' check (minaret.are_claims(claims));
comment on column grants.claims is 'The most that tokens of this grant may show. It never grows.';

-- Without `openid` an app sees the whole record of userinfo, unless a reviewer withholds part of it.
alter table apps add column plain_claims text[] not null default '{email,name,picture}'
  check (minaret.are_claims(plain_claims));
comment on column apps.plain_claims is 'What userinfo may show the app of a person who agreed to it without openid.';

-- No reviewer has seen this choice for apps that were decided before: they keep what their scopes would show.
update apps set plain_claims =
  case when 'email' = any (scopes) then '{email}' else '{}' end::text[]
  || case when 'profile' = any (scopes) then '{name,picture}' else '{}' end::text[]
where state in ('approved', 'suspended') and deleted_at is null;

create function check_grant_claims() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from minaret.consents as consent
      where consent.user_id = new.user_id and consent.app_id = new.app_id and consent.withdrawn_at is null
        and consent.claims @> new.claims) then
      raise exception 'the person did not agree to these claims' using errcode = 'MN060';
    end if;
  elsif not (old.claims @> new.claims) or old.scopes <> new.scopes then
    raise exception 'a grant never shows more than it did' using errcode = 'MN060';
  end if;
  return null;
end $$;
create trigger grants_claims_agreed after insert on grants for each row
  when (new.claims <> '{}') execute function check_grant_claims();
create trigger grants_claims_kept after update of claims, scopes on grants
  for each row execute function check_grant_claims();
