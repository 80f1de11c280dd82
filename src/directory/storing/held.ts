// Why an import leaves a masjid alone: people look after it, or changed it since.
import { sql } from '../../db/sql.ts'

/** Of `masjid` and its `origin`; null if it is still as the import wrote it, and nobody's. */
export const heldBecause = sql`case
  when masjid.verification <> 'unverified' then 'its details are verified, or about to be'
  when exists (select from public.looked_after(array[masjid.id])) then 'somebody looks after it'
  when exists (select from minaret.masjid_requests request
    where request.masjid_id = masjid.id and request.state in ('pending', 'approved')) then 'somebody claims it'
  when masjid.version <> origin.written_version then 'it was edited since'
  end`
