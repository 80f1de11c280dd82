-- Up Migration
-- What an operator lets people do at a masjid only once their account has a second factor.
create table guarded_capabilities (capability text primary key);
comment on table guarded_capabilities is 'Capabilities that need a second factor: as SECOND_FACTOR_CAPABILITIES said when the service last started.';
