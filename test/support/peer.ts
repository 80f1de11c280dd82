// oidc-provider, configured as close to this service as possible: the other side of the differential test.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import Provider from 'oidc-provider'
import { allScopes } from '../../src/access/scopes.ts'

interface PeerClient {
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
}

export interface Peer {
  readonly baseUrl: string
  readonly publicClient: PeerClient
  readonly serverClient: PeerClient
  close(): Promise<void>
}

const REDIRECT_URI = 'https://app.example.org/callback'

const configuration = async (secret: string): Promise<object> => {
  const rsa = await exportJWK(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
  const shared = { redirect_uris: [REDIRECT_URI], scope: allScopes.join(' ') }
  return {
    jwks: { keys: [{ ...rsa, use: 'sig', alg: 'RS256', kid: 'rsa' }] },
    scopes: [...allScopes],
    clients: [
      {
        ...shared,
        client_id: 'public-client',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      },
      {
        ...shared,
        client_id: 'server-client',
        client_secret: secret,
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      },
    ],
    pkce: { required: () => true },
    responseTypes: ['code'],
    issueRefreshToken: async () => true,
    findAccount: async (_context: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    features: {
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      introspection: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      userinfo: { enabled: true },
    },
    cookies: { keys: ['keys of a test'] },
    ttl: { AccessToken: 3600, ClientCredentials: 3600 },
  }
}

/** Its warnings about development use do not concern us. */
const quietly = async <T>(work: () => Promise<T>): Promise<T> => {
  const { warn, info } = console
  Object.assign(console, { warn: () => undefined, info: () => undefined })
  try {
    return await work()
  } finally {
    Object.assign(console, { warn, info })
  }
}

export const startPeer = (): Promise<Peer> =>
  quietly(async () => {
    const secret = 'a secret of the peer, long enough for everybody'
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const provider = new Provider(baseUrl, await configuration(secret))
    server.on('request', provider.callback())
    return {
      baseUrl,
      publicClient: { clientId: 'public-client', secret: '', redirectUri: REDIRECT_URI },
      serverClient: { clientId: 'server-client', secret, redirectUri: REDIRECT_URI },
      close: () =>
        new Promise(resolve => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  })
