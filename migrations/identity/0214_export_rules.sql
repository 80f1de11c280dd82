-- Up Migration
-- What a person's download leaves out although it is in their rows: `@export none: reason`. And what an administrator noted about
-- somebody else is not the administrator's own data.
select annotate(target::regclass, name, line) from (values
  ('minaret.outbox', 'text', '@export none: it may hold a link that still works'),
  ('minaret.outbox', 'html', '@export none: it may hold a link that still works'),
  ('minaret.audit_log', 'detail', '@whose user_id')
) declared (target, name, line);
