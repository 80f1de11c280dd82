// An authorization server as the scenarios see it: its endpoints, and a way to get codes in bulk.
import { createHash } from 'node:crypto'
import type { Connection } from '../../src/db/connection.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Minaret } from '../servers/minaret.ts'
import type { Server } from '../servers/server.ts'
import { REDIRECT_URI, type Tenants } from '../servers/tenants.ts'

export interface Issuer {
  readonly name: string
  readonly server: { readonly pid: number; readonly port: number }
  readonly paths: Readonly<Record<'token' | 'userinfo' | 'revoke' | 'discovery', string>>
  /** The confidential client's Authorization header. */
  readonly basic: string
  /** The public client. */
  readonly clientId: string
  /** Codes as the authorization endpoint would have stored them, for OpenID Connect or plain OAuth. */
  codes(count: number, openid: boolean): Promise<readonly string[]>
}

export const VERIFIER = 'the-code-verifier-of-the-benchmark-is-long-enough'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

const basicHeader = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** Only a code's hash is stored. The code is derived from a name that no other round uses. */
const INSERT_CODES = `
with agreed as (
  insert into minaret.consents (app_id, user_id, scopes, claims) values ($1, $2, $3, '{email,name,picture}')
  on conflict (user_id, app_id) do update set claims = excluded.claims returning claims
), made as (
  insert into minaret.grants (app_id, user_id, scopes, claims, auth_time)
  select $1, $2, $3, claims, now() from agreed, generate_series(1, $4::int) returning id
)
insert into minaret.authorization_codes
  (code_hash, grant_id, app_id, user_id, redirect_uri, code_challenge, scopes, auth_time, expires_at)
select sha256(convert_to($5::text || row_number() over (), 'UTF8')), id, $1, $2, $6, $7, $3, now(), now() + interval '1 hour' from made`

const insertCodes = async (
  database: Connection,
  tenants: Tenants,
  wish: { count: number; openid: boolean },
): Promise<readonly string[]> => {
  const name = `bench-${process.hrtime.bigint()}-`
  const scopes = wish.openid ? ['openid', 'profile', 'email', 'offline_access'] : ['masjid:read', 'events:read']
  const { public: app, userId } = tenants
  await withClient(database, client =>
    client.query(INSERT_CODES, [app.id, userId, scopes, wish.count, name, REDIRECT_URI, CHALLENGE]),
  )
  return Array.from({ length: wish.count }, (_, index) => `${name}${index + 1}`)
}

export const minaretIssuer = (minaret: Minaret, database: Connection, tenants: Tenants): Issuer => ({
  name: 'Minaret',
  server: minaret,
  paths: {
    token: '/api/oauth/token',
    userinfo: '/api/oauth/userinfo',
    revoke: '/oauth/revoke',
    discovery: '/.well-known/openid-configuration',
  },
  basic: basicHeader(tenants.confidential.clientId, tenants.confidential.secret),
  clientId: tenants.public.clientId,
  codes: (count, openid) => insertCodes(database, tenants, { count, openid }),
})

export const oidcIssuer = (server: Server, secret: string): Issuer => ({
  name: server.name,
  server,
  paths: {
    token: '/token',
    userinfo: '/me',
    revoke: '/token/revocation',
    discovery: '/.well-known/openid-configuration',
  },
  basic: basicHeader('server', secret),
  clientId: 'phone',
  codes: async (count, openid) => (await server.ask({ count, openid, challenge: CHALLENGE })) as readonly string[],
})
