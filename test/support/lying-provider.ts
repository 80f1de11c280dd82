// An OpenID provider that says whatever a test wants: for answers that an honest one never gives.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { exportJWK, SignJWT } from 'jose'
import { closeServer, listen } from './other-provider.ts'

export interface LyingProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The claims of the next ID token, besides `iss`, `aud`, `iat` and `exp`, which they may replace. */
  says: Readonly<Record<string, unknown>>
  /** Signs with a key that is not published. */
  forges: boolean
  /** How many codes were redeemed. */
  readonly redeemed: () => number
  close(): Promise<void>
}

const readBody = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ''
  for await (const piece of request) text += piece
  return new URLSearchParams(text)
}

export const startLyingProvider = async (): Promise<LyingProvider> => {
  const [own, foreign] = [1, 2].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  if (own === undefined || foreign === undefined) throw new Error('no keys')
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'key', alg: 'ES256', use: 'sig' }
  const client = { clientId: 'minaret', clientSecret: 'a secret at a lying provider' }
  let redeemed = 0
  const provider: LyingProvider = {
    issuer: '',
    ...client,
    says: {},
    forges: false,
    redeemed: () => redeemed,
    close: () => closeServer(server),
  }
  const idToken = (): Promise<string> => {
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: issuer, aud: client.clientId, iat: now, exp: now + 300 }
    return new SignJWT({ ...usual, ...provider.says })
      .setProtectedHeader({ alg: 'ES256', kid: 'key' })
      .sign((provider.forges ? foreign : own).privateKey)
  }
  const answers: Record<string, (request: IncomingMessage) => Promise<object>> = {
    '/.well-known/openid-configuration': async () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
    }),
    '/jwks': async () => ({ keys: [jwk] }),
    '/token': async request => {
      await readBody(request)
      redeemed += 1
      return { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: await idToken() }
    },
  }
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    if (answer === undefined) return void response.writeHead(404).end()
    void answer(request).then(body => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  const issuer = await listen(server)
  return Object.assign(provider, { issuer })
}
