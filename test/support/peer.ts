// oidc-provider, configured as close to this service as possible: the other side of the differential test.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import Provider from 'oidc-provider'
import { allScopes } from '../../src/access/scopes.ts'
import { quietly } from './quietly.ts'

interface PeerClient {
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
}

export interface Peer {
  readonly baseUrl: string
  readonly publicClient: PeerClient
  readonly serverClient: PeerClient
  /** What a person decides about a device. */
  decideDevice(userCode: string, decision: 'allow' | 'deny'): Promise<void>
  expireDevice(userCode: string): Promise<void>
  close(): Promise<void>
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
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
        grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
      },
      {
        ...shared,
        client_id: 'server-client',
        client_secret: secret,
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT],
      },
    ],
    pkce: { required: () => true },
    responseTypes: ['code'],
    issueRefreshToken: async () => true,
    findAccount: async (_context: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    features: {
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      introspection: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      userinfo: { enabled: true },
    },
    cookies: { keys: ['keys of a test'] },
    ttl: { AccessToken: 3600, ClientCredentials: 3600 },
  }
}

const findDevice = async (provider: Provider, userCode: string) => {
  const code = await provider.DeviceCode.findByUserCode(userCode.replaceAll('-', ''))
  if (code === undefined) throw new Error(`no such code: ${userCode}`)
  return code
}

/** As its pages do it. */
const decideDevice = async (provider: Provider, userCode: string, decision: 'allow' | 'deny'): Promise<void> => {
  const code = await findDevice(provider, userCode)
  if (decision === 'deny') Object.assign(code, { error: 'access_denied', errorDescription: 'the person denied it' })
  else {
    const grant = new provider.Grant({ accountId: 'x', clientId: code.clientId ?? '' })
    grant.addOIDCScope(String(code.params?.scope))
    const authTime = Math.floor(Date.now() / 1000)
    Object.assign(code, { accountId: 'x', authTime, scope: code.params?.scope, grantId: await grant.save() })
  }
  await code.save()
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
      decideDevice: (userCode, decision) => decideDevice(provider, userCode, decision),
      expireDevice: async userCode => {
        const code = await findDevice(provider, userCode)
        code.exp = Math.floor(Date.now() / 1000) - 1
        await code.save()
      },
      close: () =>
        new Promise(resolve => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  })
