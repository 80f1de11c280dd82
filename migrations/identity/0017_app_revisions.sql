-- Up Migration

-- A reviewer decides about what they saw: the owner's every edit counts up, and a decision names the count it saw.
alter table apps add column revision integer not null default 1;
comment on column apps.revision is 'Counts the edits of the owner while the app waits for a reviewer.';

-- What the app asked for at each move, so that a reviewer sees what changed since the last time.
alter table app_moves add column snapshot jsonb not null default '{}';

create function app_snapshot(app apps) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'name', app.name, 'description', app.description, 'home_page', app.home_page, 'logo', app.logo, 'kind', app.kind,
    'redirect_uris', app.redirect_uris, 'post_logout_redirect_uris', app.post_logout_redirect_uris,
    'requested_scopes', app.requested_scopes, 'id_token_alg', app.id_token_alg)
$$;

create or replace function record_app_move() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into minaret.app_moves (app_id, from_state, to_state, moved_by, reason, snapshot)
    values (new.id, null, new.state, coalesce(new.moved_by, new.owner_id), new.moved_because, minaret.app_snapshot(new));
  elsif new.state <> old.state then
    insert into minaret.app_moves (app_id, from_state, to_state, moved_by, reason, snapshot)
    values (new.id, old.state, new.state, new.moved_by, new.moved_because, minaret.app_snapshot(new));
  elsif new.deleted_at is not null and old.deleted_at is null then
    insert into minaret.app_moves (app_id, from_state, to_state, moved_by, reason, snapshot)
    values (new.id, old.state, 'deleted', new.moved_by, new.moved_because, minaret.app_snapshot(new));
  end if;
  return null;
end $$;
