// The apps a person has allowed: listing them, and withdrawing consent together with all their tokens.
import { type Claim, isClaim, sortClaims } from '../access/claims.ts'
import { recordAccountEvent } from '../audit/record-account-event.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Visit } from './sessions.ts'

/** The words of the consent page, in the language in which they were read. */
interface ShownWords {
  readonly language: string
  readonly version: string
  readonly heading: string
  readonly scopes: readonly { readonly title: string; readonly text: string }[]
  readonly claims: readonly { readonly title: string }[]
}

export interface AllowedApp {
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly logo: string | undefined
  readonly homePage: string | undefined
  readonly scopes: readonly string[]
  /** The claims it sees besides the identifier. */
  readonly claims: readonly Claim[]
  readonly allowedAt: Date
  /** What the person was shown when they last allowed it; undefined for consents from before that was kept. */
  readonly shown: ShownWords | undefined
}

interface AllowedRow {
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly logo: string | null
  readonly home_page: string | null
  readonly scopes: string[]
  readonly claims: string[]
  readonly given_at: Date
  readonly shown: ShownWords | null
}

export const listAllowedApps = async (database: Queryable, userId: string): Promise<AllowedApp[]> => {
  const rows = await database.query<AllowedRow>(sql`
    select apps.id, apps.name, coalesce(owners.name, apps.host, 'Minaret') as owner, apps.logo, apps.home_page,
      consents.scopes, consents.claims,
      consents.given_at, (
        select consent_texts.shown || jsonb_build_object('language', language, 'version', version)
        from minaret.consent_texts
        where consent_texts.user_id = consents.user_id and consent_texts.app_id = consents.app_id order by id desc limit 1
      ) as shown
    from minaret.consents
      join minaret.apps on apps.id = consents.app_id
      left join minaret.users as owners on owners.id = apps.owner_id
    where consents.user_id = ${userId} and consents.withdrawn_at is null and apps.deleted_at is null
    order by consents.given_at desc`)
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    owner: row.owner,
    logo: row.logo ?? undefined,
    homePage: row.home_page ?? undefined,
    scopes: row.scopes,
    claims: sortClaims(row.claims.filter(isClaim)),
    allowedAt: row.given_at,
    shown: row.shown ?? undefined,
  }))
}

/** A trigger ends the grants and their tokens in the same transaction. False if nothing was allowed. */
export const withdrawApp = async (
  database: Database,
  { userId, appId, visit }: { readonly userId: string; readonly appId: string; readonly visit: Visit },
): Promise<boolean> =>
  database.transaction(async transaction => {
    const withdrawn = await transaction.run(sql`
      update minaret.consents set withdrawn_at = now()
      where user_id = ${userId} and app_id = ${appId} and withdrawn_at is null`)
    if (withdrawn === 0) return false
    const { address } = visit
    await recordAccountEvent(transaction, {
      action: 'account.consent_withdrawn',
      actorId: userId,
      userId,
      appId,
      address,
    })
    return true
  })
