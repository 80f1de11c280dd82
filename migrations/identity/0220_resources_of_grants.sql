-- Up Migration

-- RFC 8707: an authorization can be for one resource of the service, and its tokens then open nothing else. The path is kept, not
-- the address: that of an installation may change.
alter table grants add column resource text check (resource in ('/mcp'));
comment on column grants.resource is 'The path of the only resource it opens; null: the service as a whole, without those that are resources of their own.';
