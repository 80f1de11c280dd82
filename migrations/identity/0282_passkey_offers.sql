-- Up Migration

-- After a sign-in, people without a passkey are offered one, until they do not want to be asked again.
alter table users add column passkey_offer_ended_at timestamptz;
comment on column users.passkey_offer_ended_at is E'@erase delete\nWhen the person said that they want no offer of a passkey any more.';
