-- Up Migration

comment on column idempotent_requests.app_id is 'The app that sent the key; empty if there is none.';
comment on column idempotent_requests.user_id is 'The person on whose behalf it was sent; empty if there is none.';
comment on column idempotent_requests.key is 'The Idempotency-Key.';
comment on column idempotent_requests.request_hash is 'What the request was, as a digest.';
comment on column idempotent_requests.answer is 'The response that a repeated request gets.';
comment on column idempotent_requests.created_at is 'When the key was first used.';

select pin_search_paths();
