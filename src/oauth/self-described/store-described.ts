// An app as its document describes it ↔ its row: written when it is seen first, and when its document has changed.
import { allScopes } from '../../access/scopes.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest } from '../oauth-fault.ts'
import type { FetchedApp } from './fetch-metadata.ts'
import type { MetadataAddress } from './metadata-address.ts'

/** Whether the rights of the app are those of its host is the database's to keep. */
const insert = ({ address, host }: MetadataAddress, app: FetchedApp) => sql`
  insert into minaret.apps (owner_id, client_id, host, name, description, kind, redirect_uris, requested_scopes, plain_claims, fresh_until)
  values (null, ${address}, ${host}, ${app.name}, ${`An app that describes itself at ${host}.`}, 'public', ${app.redirectUris},
    ${allScopes}, '{}', now() + make_interval(secs => ${app.freshSeconds}))
  on conflict (client_id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris, fresh_until = excluded.fresh_until
  returning id`

const isRefusal = (error: unknown): boolean => (error as { code?: string }).code === 'MN001'

/** @throws {Fault} `invalid_request` if the host has too many apps. */
export const storeDescribed = async (database: Database, at: MetadataAddress, app: FetchedApp): Promise<void> => {
  try {
    await database.transaction(async transaction => {
      await transaction.run(sql`insert into minaret.app_hosts (host) values (${at.host}) on conflict do nothing`)
      // One app of a host at a time: otherwise several could be its last one.
      await transaction.run(sql`select from minaret.app_hosts where host = ${at.host} for no key update`)
      await transaction.run(insert(at, app))
      await transaction.run(sql`
        update minaret.apps set state = 'approved', approved_at = now()
        where client_id = ${at.address} and state = 'pending'
          and not exists (select from minaret.app_hosts where host = ${at.host} and state = 'blocked')`)
    })
  } catch (error) {
    if (isRefusal(error)) throw invalidRequest('The host of this client_id has too many apps.', error)
    throw error
  }
}
