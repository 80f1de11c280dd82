// The limit of a token endpoint: Fastify that reads a form, signs an ES256 token in the thread pool, and does nothing else.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { serveAsPeer } from './peer-program.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'limit' })).toString('base64url')

/** As in Minaret: the event loop reads the next request while another thread signs. */
const signInPool = promisify(sign)

const signToken = async (): Promise<string> => {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'https://limit',
    aud: 'https://limit',
    sub: 'app',
    client_id: 'app',
    scope: 'masjid:read',
    iat: now,
    exp: now + 3600,
    jti: randomUUID(),
  }
  const text = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  const signature = await signInPool('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

const server = Fastify()
server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, new URLSearchParams(body as string)),
)
server.post('/token', async () => ({
  access_token: await signToken(),
  token_type: 'bearer',
  expires_in: 3600,
  scope: 'masjid:read',
}))
await server.ready()
serveAsPeer(server.server)
