// People, approved apps and the requests of their OAuth flows, for tests over HTTP.
import { randomUUID } from 'node:crypto'
import { startSession } from '../../src/accounts/sessions.ts'
import { randomToken, sha256, sha256Base64url } from '../../src/base/secrets.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import type { TestMinaret } from './minaret.ts'

export interface TestUser {
  readonly id: string
  readonly email: string
  readonly name: string
}

export interface TestApp {
  readonly id: string
  readonly clientId: string
  /** Empty for a public app. */
  readonly secret: string
  readonly redirectUri: string
}

export const everyScope =
  'openid profile email offline_access masjid:read events:read prayer-times:read donations:read members:read'

export const makeUser = async (database: Database, name = 'Amina Yusuf'): Promise<TestUser> => {
  const id = randomUUID()
  const email = `${id}@example.test`
  await database.run(sql`
    insert into minaret.users (id, email, name, picture, email_verified_at)
    values (${id}, ${email}, ${name}, 'https://pictures.example.test/amina.png', now())`)
  return { id, email, name }
}

export interface AppWishes {
  readonly kind?: 'public' | 'confidential'
  readonly scopes?: string
  readonly redirectUris?: readonly string[]
  readonly idTokenAlgorithm?: 'RS256' | 'ES256'
  readonly postLogoutRedirectUris?: readonly string[]
}

export const REDIRECT_URI = 'https://app.example.test/callback'

export const addSecret = async (database: Database, appId: string, slot = 1): Promise<string> => {
  const secret = randomToken(32)
  await database.run(sql`
    insert into minaret.app_secrets (app_id, slot, secret_hash, hint)
    values (${appId}, ${slot}, ${sha256(secret)}, ${secret.slice(-4)})`)
  return secret
}

/** Registered and approved in one go, with all scopes unless told otherwise. */
export const makeApp = async (database: Database, wishes: AppWishes = {}): Promise<TestApp> => {
  const { kind = 'public', scopes = everyScope, redirectUris = [REDIRECT_URI], idTokenAlgorithm = 'RS256' } = wishes
  const owner = await makeUser(database, 'Owner of apps')
  const clientId = `client-${randomToken(9)}`
  const row = await database.first<{ id: string }>(sql`
    insert into minaret.apps (owner_id, name, description, kind, redirect_uris, post_logout_redirect_uris,
      requested_scopes, id_token_alg)
    values (${owner.id}, 'Salah Companion', 'An app for tests.', ${kind}, ${redirectUris},
      ${wishes.postLogoutRedirectUris ?? []}, ${scopes.split(' ')}, ${idTokenAlgorithm}) returning id`)
  const id = row?.id ?? ''
  await database.run(sql`
    update minaret.apps set state = 'approved', client_id = ${clientId}, scopes = requested_scopes, approved_at = now()
    where id = ${id}`)
  const secret = kind === 'confidential' ? await addSecret(database, id) : ''
  return { id, clientId, secret, redirectUri: redirectUris[0] ?? '' }
}

export const moveApp = async (database: Database, app: TestApp, state: string): Promise<void> => {
  await database.run(sql`update minaret.apps set state = ${state} where id = ${app.id}`)
}

/** The cookie of a browser in which the user is signed in. */
export const signIn = async (database: Database, user: TestUser): Promise<string> =>
  `minaret_session=${await startSession(database, user.id, { address: undefined, userAgent: undefined })}`

export const basic = (app: TestApp): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}`,
})

export type Form = Record<string, string> | URLSearchParams

export const postForm = (url: string, form: Form, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' })

export const postToken = (minaret: TestMinaret, form: Form, headers: Record<string, string> = {}): Promise<Response> =>
  postForm(`${minaret.baseUrl}/api/oauth/token`, form, headers)

export interface Tokens {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly refresh_token: string
  readonly id_token: string
  readonly scope: string
}

export const readTokens = async (response: Response): Promise<Tokens> => {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as Tokens
}

export interface OauthError {
  readonly error: string
  readonly error_description: string
}

export const readError = async (response: Response): Promise<OauthError> => (await response.json()) as OauthError

export const userinfo = (minaret: TestMinaret, token: string): Promise<Response> =>
  fetch(`${minaret.baseUrl}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } })

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

export const makePkce = (): Pkce => {
  const verifier = randomToken(32)
  return { verifier, challenge: sha256Base64url(verifier) }
}
