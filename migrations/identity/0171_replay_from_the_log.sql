-- Up Migration
-- A delivery knows its place in the change log. What waits for a masjid is sent in the order of the log, whenever it became a delivery:
-- an endpoint that is sent again what happened since a moment goes back in the log, and what lies ahead of its position waits.
alter table webhook_deliveries add column xid xid8, add column number bigint;
comment on column webhook_deliveries.xid is 'With number the place in changes.log; null if it belongs to another history: then it comes before all that have one.';
update webhook_deliveries d
set xid = ('x' || lpad(split_part(d.position, '-', 2), 16, '0'))::bit(64)::bigint::text::xid8,
  number = ('x' || lpad(split_part(d.position, '-', 3), 16, '0'))::bit(64)::bigint
from changes.history where split_part(d.position, '-', 1) = history.id;

-- The process that sends shows by a lock that it is there. Once it is gone, another one takes over, long before the lease ends.
alter table webhook_endpoints add column holder bigint, add column renewed_at timestamptz;
comment on column webhook_endpoints.holder is 'The number of the process that has the lease; it holds an advisory lock with it while it is connected.';
comment on column webhook_endpoints.renewed_at is 'When the lease was taken or renewed.';
