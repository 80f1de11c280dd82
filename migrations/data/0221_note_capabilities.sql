-- Up Migration
-- Who gave and withdrew what is part of a masjid's audit trail too.

select annotate_table('ua_capabilities', '@capability capabilities');
select watch_writes('ua_capabilities');
