-- Up Migration
-- What becomes of a person's data when their account is erased, and by which column a row is theirs. The annotations are
-- explained in migrations/identity/0210_erase_rules.sql.

select annotate_table(target, '@erase delete') from unnest(
  '{ua_members,ua_recurring_donations,up_event_rsvps,ua_capabilities,consent_records,idempotent_requests}'::regclass[]) target;
select annotate_table('ua_households', '@erase delete: unless others live there');
select annotate_table(target, '@erase retain: the accounts of the masjid have to stay right; nothing in them leads to the giver')
from unnest('{ua_donations,unpublished_gifts}'::regclass[]) target;

select annotate_column(target::regclass, name, line) from (values
  ('ua_members', 'user_id', '@subject account'),
  ('ua_households', 'id', '@subject household'),
  ('ua_recurring_donations', 'member_id', '@subject member'),
  ('ua_donations', 'member_id', E'@erase delete\n@subject member'),
  ('ua_donations', 'recurring_donation_id', '@erase delete'),
  ('ua_donations', 'donor_name', '@erase delete'),
  ('ua_donations', 'donor_email', E'@erase delete\n@subject email'),
  ('ua_donations', 'reference', '@erase retain: it tells the gift apart on the bank statement'),
  ('unpublished_gifts', 'giver', E'@erase anonymise\n@subject member email'),
  ('up_event_rsvps', 'member_id', '@subject member'),
  ('up_event_rsvps', 'guest_email', '@subject email'),
  ('ua_capabilities', 'user_id', '@subject account'),
  ('consent_records', 'member_id', '@subject member'),
  ('idempotent_requests', 'user_id', '@subject account'),
  ('up_entities', 'legal_name', '@erase none: the name of an organisation'),
  ('up_masjids', 'name', '@erase none: the name of a masjid'),
  ('up_masjids', 'name_ar', '@erase none: the name of a masjid'),
  ('up_masjids', 'address', '@erase none: the address of a masjid'),
  ('up_masjids', 'phone', '@erase none: the number of a masjid'),
  ('up_masjids', 'email', '@erase none: the address of a masjid'),
  ('up_announcements', 'deceased_name', '@erase none: published by the masjid, about no account'),
  ('pc_hijri_authorities', 'name', '@erase none: the name of an authority'),
  ('pc_timetables', 'name', '@erase none: the name of a timetable'),
  ('timetable_drafts', 'name', '@erase none: the name of a file'),
  ('timetable_drafts', 'address', '@erase none: the web address of a timetable'),
  ('written_rows', 'user_id', '@erase retain: an identifier that leads to no name any more'),
  ('pc_timetables', 'published_by', '@erase retain: an identifier that leads to no name any more'),
  ('pc_timetables', 'undone_by', '@erase retain: an identifier that leads to no name any more'),
  ('timetable_drafts', 'created_by', '@erase retain: an identifier that leads to no name any more'),
  ('pc_iqamah_changes', 'made_by', '@erase retain: an identifier that leads to no name any more')
) declared (target, name, line);
