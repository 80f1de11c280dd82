-- Up Migration
insert into take_back_rules (table_name, action, reason) values
  ('public.guest_answers', 'none', 'what a guest said about an event, for half an hour; it gives no access');
