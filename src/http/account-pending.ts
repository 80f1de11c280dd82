// The reference in an address → what a sign-in page needs of the authorization request that waits on the server.
import { sha256 } from '../base/secrets.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface PendingRequest {
  readonly app: string
  readonly redirectUri: string
  readonly loginHint: string | undefined
  readonly uiLocales: string | undefined
}

interface Row {
  readonly app: string
  readonly redirect_uri: string
  readonly login_hint: string | null
  readonly ui_locales: string | null
}

/** Undefined when it is unknown, used or expired. */
export const findPending = async (database: Database, reference: string): Promise<PendingRequest | undefined> => {
  const row = await database.first<Row>(sql`
    select apps.name as app, parameters->>'redirectUri' as redirect_uri, parameters->>'loginHint' as login_hint,
      parameters->>'uiLocales' as ui_locales
    from minaret.authorization_requests join minaret.apps on apps.id = authorization_requests.app_id
    where reference_hash = ${sha256(reference)} and used_at is null and expires_at > now()
      and parameters->>'redirectUri' is not null`)
  if (row === undefined) return undefined
  return {
    app: row.app,
    redirectUri: row.redirect_uri,
    loginHint: row.login_hint ?? undefined,
    uiLocales: row.ui_locales ?? undefined,
  }
}
