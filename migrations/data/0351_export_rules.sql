-- Up Migration
-- What a person's download leaves out although it is in their rows (`@export none: reason`), and what they changed at masjids as part
-- of it.
select annotate_column(target::regclass, name, line) from (values
  ('idempotent_requests', 'answer', '@export none: it may hold rows about others'),
  ('written_rows', 'user_id', '@subject account'),
  ('written_rows', 'old_values', '@export none: it may hold identifiers of others'),
  ('written_rows', 'new_values', '@export none: it may hold identifiers of others')
) declared (target, name, line);
select annotate_table('written_rows', '@erase retain: who did what has to stay provable; no name is left in it');
