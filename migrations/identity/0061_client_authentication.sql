-- Up Migration

-- How a confidential app may send its secret: in the header of HTTP Basic, or in the form as well (RFC 6749 section 2.3.1).
alter table apps add column client_authentication text not null default 'basic_or_post'
  check (client_authentication in ('basic_or_post', 'basic'));
comment on column apps.client_authentication is 'Whether the secret may stand in the form, or in the header only.';

create or replace function app_snapshot(app apps) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'name', app.name, 'description', app.description, 'home_page', app.home_page, 'logo', app.logo, 'kind', app.kind,
    'redirect_uris', app.redirect_uris, 'post_logout_redirect_uris', app.post_logout_redirect_uris,
    'requested_scopes', app.requested_scopes, 'id_token_alg', app.id_token_alg,
    'client_authentication', app.client_authentication)
$$;
