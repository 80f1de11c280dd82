// oidc-provider, configured to do what Minaret does: PKCE, rotated refresh tokens, ES256 API tokens, opaque userinfo tokens.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import pg from 'pg'
import { memoryAdapters, OIDC_TABLE, postgresqlAdapters } from './oidc-adapters.ts'
import { type MakeCodes, makeCodes } from './oidc-codes.ts'
import { peerSettings, serveAsPeer } from './peer-program.ts'
import { REDIRECT_URI } from './tenants.ts'

export interface OidcSettings {
  /** Unset: everything in memory. */
  readonly connection: pg.PoolConfig | undefined
  readonly secret: string
  readonly userId: string
}

const API = 'https://api.bench.example'
const { connection, secret, userId } = peerSettings<OidcSettings>()
const pool = connection === undefined ? undefined : new pg.Pool({ ...connection, max: 10 })
await pool?.query(OIDC_TABLE)

const signingKey = (type: 'ec' | 'rsa') => {
  const { privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: type === 'ec' ? 'ES256' : 'RS256' }
}

const ACCOUNT = 'select id as sub, email, name, picture from minaret.users where id = $1'

const findClaims = async (sub: string): Promise<{ sub: string }> => {
  if (pool === undefined)
    return { sub, email: 'bench@example.org', name: 'Bench', picture: 'https://example.org/p.png' } as { sub: string }
  return (await pool.query({ name: 'account', text: ACCOUNT, values: [sub] })).rows[0]
}

const provider = new Provider('http://127.0.0.1', {
  adapter: pool === undefined ? memoryAdapters() : postgresqlAdapters(pool),
  clients: [
    {
      client_id: 'server',
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
    {
      client_id: 'phone',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [REDIRECT_URI],
      application_type: 'web',
    },
  ],
  jwks: { keys: [signingKey('ec'), signingKey('rsa')] },
  cookies: { keys: ['bench'] },
  findAccount: async (_context, sub) => {
    const claims = await findClaims(sub)
    return { accountId: sub, claims: async () => claims }
  },
  claims: { email: ['email'], profile: ['name', 'picture'] },
  scopes: ['openid', 'offline_access'],
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => API,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({
        scope: 'masjid:read events:read',
        audience: API,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 3600,
    Grant: 86400,
    IdToken: 3600,
    RefreshToken: 86400,
    ClientCredentials: 3600,
  },
})

process.on('message', async (wish: MakeCodes) =>
  process.send?.(await makeCodes(provider, { ...wish, userId, api: API })),
)
serveAsPeer(createServer(provider.callback()))
