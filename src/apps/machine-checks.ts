// Automatic checks of a pending app, so that the reviewer looks where it matters. No host is contacted.
import { isWriteScope, personalDataScopes, type Scope } from '../access/scopes.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { findImageStatus } from '../images/images.ts'
import type { AppValues } from './app.ts'
import { isNewAccount } from './review-queue.ts'

type CheckCode =
  | 'https'
  | 'personal'
  | 'writes'
  | 'similar'
  | 'home_page'
  | 'home_host'
  | 'owner_email'
  | 'owner_new'
  | 'logo'
  | 'own_app'

export interface MachineCheck {
  readonly code: CheckCode
  readonly good: boolean
  /** What the check concerns: addresses, scopes, names. */
  readonly about: readonly string[]
}

export interface CheckedApp extends Pick<AppValues, 'name' | 'homePage' | 'logo' | 'redirectUris' | 'requestedScopes'> {
  readonly id: string
  readonly ownerId: string
}

interface OwnerFacts {
  readonly confirmed: boolean
  readonly isNew: boolean
}

/** Of a native app's own scheme, the scheme. */
const hostOf = (address: string): string => {
  if (!URL.canParse(address)) return address
  const { protocol, hostname } = new URL(address)
  return /^https?:$/.test(protocol) ? hostname : protocol
}

export const checkHttps = (redirectUris: readonly string[]): MachineCheck => {
  const plain = redirectUris.filter(uri => !uri.startsWith('https://'))
  return { code: 'https', good: plain.length === 0, about: plain }
}

export const checkPersonal = (scopes: readonly Scope[]): MachineCheck => {
  const personal = scopes.filter(scope => personalDataScopes.includes(scope))
  return { code: 'personal', good: personal.length === 0, about: personal }
}

const checkWrites = (scopes: readonly Scope[]): MachineCheck => {
  const writing = scopes.filter(isWriteScope)
  return { code: 'writes', good: writing.length === 0, about: writing }
}

/** People trust the host of the home page; redirect URIs elsewhere deserve a look, and so does an app without one. */
export const checkHomeHost = ({
  homePage,
  redirectUris,
}: Pick<AppValues, 'homePage' | 'redirectUris'>): MachineCheck => {
  if (homePage === undefined) return { code: 'home_page', good: false, about: [] }
  const home = hostOf(homePage)
  const foreign = redirectUris.map(hostOf).filter(host => host !== home && !host.endsWith(`.${home}`))
  return { code: 'home_host', good: foreign.length === 0, about: [...new Set(foreign)] }
}

const LEAST_SIMILAR = 0.4

const checkSimilar = async (queryable: Queryable, { id, name, ownerId }: CheckedApp): Promise<MachineCheck> => {
  const rows = await queryable.query<{ name: string }>(sql`
    select name from minaret.apps
    where id <> ${id} and owner_id <> ${ownerId} and deleted_at is null and development_of is null
      and extensions.similarity(name, ${name}) >= ${LEAST_SIMILAR}
    order by extensions.similarity(name, ${name}) desc limit 5`)
  return { code: 'similar', good: rows.length === 0, about: rows.map(row => row.name) }
}

const checkOwner = async (queryable: Queryable, ownerId: string): Promise<MachineCheck[]> => {
  const owner = await queryable.first<OwnerFacts>(sql`
    select email_verified_at is not null as confirmed, ${isNewAccount(sql`owner`)} as "isNew"
    from minaret.users as owner where id = ${ownerId}`)
  return [
    { code: 'owner_email', good: owner?.confirmed === true, about: [] },
    { code: 'owner_new', good: owner?.isNew !== true, about: [] },
  ]
}

/** Until the logo is fetched, the reviewer sees a drawn one in its place. */
const checkLogo = async (queryable: Queryable, { logo }: CheckedApp): Promise<MachineCheck> => {
  const status = await findImageStatus(queryable, logo)
  const good = logo === undefined || status?.state === 'fetched'
  return { code: 'logo', good, about: good ? [] : [logo] }
}

const checkOwnApp = async (queryable: Queryable, { id }: CheckedApp, reviewerId: string): Promise<MachineCheck> => {
  const row = await queryable.first<{ own: boolean }>(sql`select minaret.was_on_team(${id}, ${reviewerId}) as own`)
  return { code: 'own_app', good: row?.own !== true, about: [] }
}

export const runMachineChecks = async (
  queryable: Queryable,
  app: CheckedApp,
  reviewerId: string,
): Promise<MachineCheck[]> => [
  checkHttps(app.redirectUris),
  checkPersonal(app.requestedScopes),
  checkWrites(app.requestedScopes),
  await checkSimilar(queryable, app),
  checkHomeHost(app),
  ...(await checkOwner(queryable, app.ownerId)),
  await checkLogo(queryable, app),
  await checkOwnApp(queryable, app, reviewerId),
]
