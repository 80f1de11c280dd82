-- Up Migration

-- How the person had signed in when an app was allowed (RFC 8176), for ID tokens and access tokens. Empty: from before it was kept.
alter table grants add column amr text[] not null default '{}';
