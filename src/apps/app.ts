// Rows of minaret.apps → apps as the rest of the code sees them.

import { type Claim, isClaim, sortClaims } from '../access/claims.ts'
import { isScope, type Scope } from '../access/scopes.ts'
import { contains } from '../base/like.ts'
import { isUuidInAnyCase } from '../base/uuid.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'

export type AppKind = 'public' | 'confidential'
export type AppState = 'pending' | 'approved' | 'rejected' | 'suspended'
export type IdTokenAlgorithm = 'RS256' | 'ES256'
/** Whether the secret may stand in the form, or in the header of HTTP Basic only. */
export type ClientAuthentication = 'basic_or_post' | 'basic'

/** Whether devices may ask for access with a code (RFC 8628). */
export type DeviceFlow = 'off' | 'on'

/** What an app's owner chooses and a reviewer judges. */
export interface AppValues {
  readonly name: string
  readonly description: string
  readonly homePage: string | undefined
  readonly logo: string | undefined
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly requestedScopes: readonly Scope[]
  readonly idTokenAlgorithm: IdTokenAlgorithm
  readonly clientAuthentication: ClientAuthentication
  readonly deviceFlow: DeviceFlow
}

export interface App extends AppValues {
  readonly id: string
  readonly clientId: string | undefined
  readonly ownerId: string
  readonly ownerName: string
  readonly ownerEmail: string
  /** The app is paused for as long. */
  readonly ownerDisabled: boolean
  readonly kind: AppKind
  readonly state: AppState
  /** What a reviewer granted. */
  readonly scopes: readonly Scope[]
  /** What a reviewer lets it see of people who agreed to it without `openid`. */
  readonly plainClaims: readonly Claim[]
  readonly allMasjids: boolean
  /** Every masjid's own app. */
  readonly ownAllMasjids: boolean
  readonly reviewerWords: string | undefined
  readonly movedBy: string | undefined
  readonly revision: number
  readonly createdAt: Date
  readonly submittedAt: Date
  readonly approvedAt: Date | undefined
}

interface AppRow {
  readonly id: string
  readonly client_id: string | null
  readonly owner_id: string
  readonly owner_name: string
  readonly owner_email: string
  readonly owner_disabled: boolean
  readonly name: string
  readonly description: string
  readonly home_page: string | null
  readonly logo: string | null
  readonly kind: AppKind
  readonly state: AppState
  readonly redirect_uris: string[]
  readonly post_logout_redirect_uris: string[]
  readonly requested_scopes: string[]
  readonly scopes: string[]
  readonly plain_claims: string[]
  readonly id_token_alg: IdTokenAlgorithm
  readonly client_authentication: ClientAuthentication
  readonly device_flow: DeviceFlow
  readonly all_masjids: boolean
  readonly own_all_masjids: boolean
  readonly reviewer_words: string | null
  readonly moved_by: string | null
  readonly revision: number
  readonly created_at: Date
  readonly submitted_at: Date
  readonly approved_at: Date | null
}

const toApp = (row: AppRow): App => ({
  id: row.id,
  clientId: row.client_id ?? undefined,
  ownerId: row.owner_id,
  ownerName: row.owner_name,
  ownerEmail: row.owner_email,
  ownerDisabled: row.owner_disabled,
  name: row.name,
  description: row.description,
  homePage: row.home_page ?? undefined,
  logo: row.logo ?? undefined,
  kind: row.kind,
  state: row.state,
  redirectUris: row.redirect_uris,
  postLogoutRedirectUris: row.post_logout_redirect_uris,
  requestedScopes: row.requested_scopes.filter(isScope),
  scopes: row.scopes.filter(isScope),
  plainClaims: sortClaims(row.plain_claims.filter(isClaim)),
  idTokenAlgorithm: row.id_token_alg,
  clientAuthentication: row.client_authentication,
  deviceFlow: row.device_flow,
  allMasjids: row.all_masjids,
  ownAllMasjids: row.own_all_masjids,
  reviewerWords: row.reviewer_words ?? undefined,
  movedBy: row.moved_by ?? undefined,
  revision: row.revision,
  createdAt: row.created_at,
  submittedAt: row.submitted_at,
  approvedAt: row.approved_at ?? undefined,
})

/** Never returns deleted apps. */
const select = (condition: Sql): Sql => sql`
  select a.*, u.name as owner_name, u.email as owner_email, u.disabled_at is not null as owner_disabled
  from minaret.apps a join minaret.users u on u.id = a.owner_id
  where a.deleted_at is null and ${condition}`

export const findApp = async (queryable: Queryable, id: string): Promise<App | undefined> => {
  if (!isUuidInAnyCase(id)) return undefined
  const row = await queryable.first<AppRow>(select(sql`a.id = ${id}`))
  return row === undefined ? undefined : toApp(row)
}

export const findAppByClientId = async (queryable: Queryable, clientId: string): Promise<App | undefined> => {
  const row = await queryable.first<AppRow>(select(sql`a.client_id = ${clientId}`))
  return row === undefined ? undefined : toApp(row)
}

export const listAppsOfOwner = async (queryable: Queryable, ownerId: string): Promise<App[]> =>
  (await queryable.query<AppRow>(sql`${select(sql`a.owner_id = ${ownerId}`)} order by a.created_at desc`)).map(toApp)

/** The app or its owner is called so; for those who look for one app among many. */
export const namedLike = (words: string): Sql => {
  const pattern = contains(words)
  return sql`(${words} = '' or a.name ilike ${pattern} or u.name ilike ${pattern} or u.email ilike ${pattern}
    or a.client_id = ${words})`
}

export const listAppsInState = async (queryable: Queryable, state: AppState, words = ''): Promise<App[]> => {
  const matching = select(sql`a.state = ${state} and ${namedLike(words)}`)
  return (await queryable.query<AppRow>(sql`${matching} order by a.submitted_at limit 500`)).map(toApp)
}
