// Rows of minaret.apps → apps as the rest of the code sees them.

import { type Claim, isClaim, sortClaims } from '../access/claims.ts'
import { isScope, type Scope } from '../access/scopes.ts'
import { contains } from '../base/like.ts'
import { isUuidInAnyCase } from '../base/uuid.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Lifetimes } from './lifetimes.ts'
import type { TeamRole } from './team/roles.ts'

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

export interface App extends AppValues, Lifetimes {
  readonly id: string
  readonly clientId: string | undefined
  /** Its development client, which it has from its registration on: the id of its row, and its client_id. */
  readonly developmentId: string
  readonly developmentClientId: string
  readonly ownerId: string
  readonly ownerName: string
  readonly ownerEmail: string
  /** The language of the owner's account. */
  readonly ownerLocale: string
  /** The app is paused for as long. */
  readonly ownerDisabled: boolean
  readonly kind: AppKind
  readonly state: AppState
  /** What a reviewer granted. */
  readonly scopes: readonly Scope[]
  /** What a reviewer lets it see of people who agreed to it without `openid`. */
  readonly plainClaims: readonly Claim[]
  /** Whether it gets tokens only with a proof of a key (DPoP). */
  readonly boundTokens: boolean
  readonly allMasjids: boolean
  /** Every masjid's own app. */
  readonly ownAllMasjids: boolean
  readonly reviewerWords: string | undefined
  readonly movedBy: string | undefined
  /** Whether an owner moved it to its present state: owners may start again what they stopped themselves. */
  readonly movedByOwner: boolean
  /** The role of whoever looks at it in the console; undefined elsewhere. */
  readonly role?: TeamRole | undefined
  readonly revision: number
  readonly createdAt: Date
  readonly submittedAt: Date
  /** Since when a reviewer waits for its team, while it is pending. */
  readonly changesRequestedAt: Date | undefined
  readonly approvedAt: Date | undefined
}

interface AppRow {
  readonly id: string
  readonly client_id: string | null
  readonly development_id: string
  readonly development_client_id: string
  readonly owner_id: string
  readonly owner_name: string
  readonly owner_email: string
  readonly owner_locale: string
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
  readonly dpop_bound: boolean
  readonly access_seconds: number
  readonly refresh_idle_seconds: number
  readonly refresh_total_seconds: number
  readonly all_masjids: boolean
  readonly own_all_masjids: boolean
  readonly reviewer_words: string | null
  readonly moved_by: string | null
  readonly moved_by_owner: boolean
  readonly role?: TeamRole | null
  readonly revision: number
  readonly created_at: Date
  readonly submitted_at: Date
  readonly changes_requested_at: Date | null
  readonly approved_at: Date | null
}

const toApp = (row: AppRow): App => ({
  id: row.id,
  clientId: row.client_id ?? undefined,
  developmentId: row.development_id,
  developmentClientId: row.development_client_id,
  ownerId: row.owner_id,
  ownerName: row.owner_name,
  ownerEmail: row.owner_email,
  ownerLocale: row.owner_locale,
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
  boundTokens: row.dpop_bound,
  accessSeconds: row.access_seconds,
  refreshIdleSeconds: row.refresh_idle_seconds,
  refreshTotalSeconds: row.refresh_total_seconds,
  allMasjids: row.all_masjids,
  ownAllMasjids: row.own_all_masjids,
  reviewerWords: row.reviewer_words ?? undefined,
  movedBy: row.moved_by ?? undefined,
  movedByOwner: row.moved_by_owner,
  role: row.role ?? undefined,
  revision: row.revision,
  createdAt: row.created_at,
  submittedAt: row.submitted_at,
  changesRequestedAt: row.changes_requested_at ?? undefined,
  approvedAt: row.approved_at ?? undefined,
})

/** Never returns deleted apps, nor development clients: those follow their app. */
const select = (condition: Sql, role: Sql = sql`null`): Sql => sql`
  select a.*, ${role} as role, minaret.is_app_owner(a.id, a.moved_by) as moved_by_owner,
    u.name as owner_name, u.email as owner_email, u.locale as owner_locale, u.disabled_at is not null as owner_disabled,
    development.id as development_id, development.client_id as development_client_id
  from minaret.apps a join minaret.users u on u.id = a.owner_id
    join minaret.apps development on development.development_of = a.id
  where a.deleted_at is null and a.development_of is null and ${condition}`

export const findApp = async (queryable: Queryable, id: string): Promise<App | undefined> => {
  if (!isUuidInAnyCase(id)) return undefined
  const row = await queryable.first<AppRow>(select(sql`a.id = ${id}`))
  return row === undefined ? undefined : toApp(row)
}

export const findAppByClientId = async (queryable: Queryable, clientId: string): Promise<App | undefined> => {
  const row = await queryable.first<AppRow>(select(sql`a.client_id = ${clientId}`))
  return row === undefined ? undefined : toApp(row)
}

const roleOf = (userId: string): Sql =>
  sql`(select role from minaret.app_members member where member.app_id = a.id and member.user_id = ${userId})`

/** An app in whose team this person is, with their role. */
export const findAppOfMember = async (queryable: Queryable, id: string, userId: string): Promise<App | undefined> => {
  if (!isUuidInAnyCase(id)) return undefined
  const row = await queryable.first<AppRow>(
    select(sql`a.id = ${id} and minaret.is_on_team(a.id, ${userId})`, roleOf(userId)),
  )
  return row === undefined ? undefined : toApp(row)
}

/** The apps in whose teams this person is. */
export const listAppsOfMember = async (queryable: Queryable, userId: string): Promise<App[]> => {
  const own = sql`a.id in (select app_id from minaret.app_members where user_id = ${userId})`
  const rows = await queryable.query<AppRow>(sql`${select(own, roleOf(userId))} order by a.created_at desc limit 500`)
  return rows.map(toApp)
}

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
