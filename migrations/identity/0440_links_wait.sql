-- Up Migration
insert into take_back_rules (table_name, action, reason) values
  ('public.member_addresses', 'none', 'since when an address is on record; it gives no access'),
  ('public.member_links', 'none', 'a link that waits gives no access; when it opens, the membership is covered');
