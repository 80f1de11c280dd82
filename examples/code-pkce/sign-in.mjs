// Authorization code with PKCE (RFC 7636), by hand: a verifier, a redirect through the browser, a code, tokens.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const base = process.env.MINARET_URL ?? 'http://localhost:3000'
const clientId = process.env.CLIENT_ID
const port = Number(process.env.PORT ?? 8080)
const redirectUri = `http://127.0.0.1:${port}/callback`

if (!clientId) {
  console.error('Set CLIENT_ID to the client_id of an approved app. `npm start` prints one.')
  process.exit(2)
}

const authorizeUrl = (challenge, state, scope) => {
  const url = new URL('/oauth/authorize', base)
  url.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  )
  return url.href
}

/** Waits for the browser to come back, and checks the state that we sent. */
const waitForCode = state =>
  new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url, redirectUri)
      if (pathname !== '/callback') return response.writeHead(404).end()
      response.setHeader('connection', 'close')
      response.end('You may close this window and go back to the terminal.')
      server.close()
      if (searchParams.get('state') !== state) return reject(new Error('The state does not match our request.'))
      // RFC 9207: the response names its issuer, so that two servers cannot be mixed up.
      if (searchParams.get('iss') !== base) return reject(new Error('The response comes from another issuer.'))
      if (searchParams.has('error')) return reject(new Error(searchParams.get('error_description')))
      resolve(searchParams.get('code'))
    }).listen(port, '127.0.0.1')
    server.on('error', reject)
  })

export const postForm = async (path, form) => {
  const response = await fetch(new URL(path, base), { method: 'POST', body: new URLSearchParams(form) })
  const text = await response.text()
  const body = text === '' ? {} : JSON.parse(text)
  if (!response.ok) throw new Error(`${body.error}: ${body.error_description}`)
  return body
}

/** Returns the token response: access_token, refresh_token, expires_in, scope. */
export const signIn = async scope => {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const state = randomBytes(16).toString('base64url')
  const code = waitForCode(state)
  console.log(`Open this address in a browser:\n${authorizeUrl(challenge, state, scope)}\n`)
  return postForm('/api/oauth/token', {
    grant_type: 'authorization_code',
    code: await code,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
  })
}

export const settings = { base, clientId }
