-- Up Migration

-- What an unusual sign-in is recognised by: the country a browser is set to, and how many accounts one network has entered lately.
alter table sessions add column region text check (region ~ '^[A-Z]{2}$'),
  add column network text check (length(network) <= 100);
comment on column sessions.region is 'The country that the browser was set to (Accept-Language); null: none.';
comment on column sessions.network is 'The network of the address, as limits count it; null: not a public one.';
create index sessions_network on sessions (network, created_at) where network is not null;
