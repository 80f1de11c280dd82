-- Up Migration
-- Mail that the relay puts off for its recipient alone says nothing about the relay: whoever signs up chooses the address.
alter table outbox add column put_off boolean not null default false;
comment on column outbox.put_off is 'The mail server took the last attempt, and put off this recipient (SMTP 4xx).';
