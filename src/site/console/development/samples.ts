// An app and the service's addresses → lines that run as pasted, with the app's development client.
import type { App } from '../../../apps/app.ts'
import { firstQueryFor } from '../first-query.ts'

export interface Addresses {
  readonly baseUrl: string
  readonly sandboxUrl: string
}

export const tokenLine = ({ developmentClientId }: App, { baseUrl }: Addresses): string =>
  `curl ${baseUrl}/api/oauth/token \\
  -u '${developmentClientId}:YOUR_CLIENT_SECRET' \\
  -d grant_type=client_credentials`

export const queryLine = ({ requestedScopes }: App, { sandboxUrl }: Addresses): string =>
  `curl ${sandboxUrl}/v1/graphql \\
  -H 'Authorization: Bearer YOUR_ACCESS_TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ query: firstQueryFor(requestedScopes) })}'`

const authenticationOf = ({ kind }: App): string =>
  kind === 'public' ? '' : `\n    headers: { Authorization: 'Basic ' + btoa(clientId + ':YOUR_CLIENT_SECRET') },`

/** A whole program, without a library: it waits for the browser to come back, and reads from the sandbox. */
export const signInProgram = (app: App, { baseUrl, sandboxUrl }: Addresses): string =>
  `import { createServer } from 'node:http'

const clientId = '${app.developmentClientId}'
const api = '${sandboxUrl}/v1/graphql'

const base64url = bytes => Buffer.from(bytes).toString('base64url')
const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
const challenge = base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
const state = crypto.randomUUID()
let redirectUri = ''

const readWith = async code => {
  const response = await fetch('${baseUrl}/api/oauth/token', {
    method: 'POST',${authenticationOf(app)}
    body: new URLSearchParams({
      grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id: clientId, code_verifier: verifier,
    }),
  })
  const tokens = await response.json()
  if (tokens.error) return tokens
  const answer = await fetch(api, {
    method: 'POST',
    headers: { 'Authorization': 'Bearer ' + tokens.access_token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: ${JSON.stringify(firstQueryFor(app.requestedScopes))} }),
  })
  return answer.json()
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, redirectUri)
  if (pathname !== '/callback' || searchParams.get('state') !== state) return response.writeHead(404).end()
  response.setHeader('Connection', 'close').end('Signed in: the answer is in your terminal. You can close this window.')
  server.close()
  console.log(JSON.stringify(await readWith(searchParams.get('code') ?? ''), null, 2))
})
server.listen(0, '127.0.0.1', () => {
  redirectUri = \`http://127.0.0.1:\${server.address().port}/callback\`
  console.log('Open in your browser: ${baseUrl}/oauth/authorize?' + new URLSearchParams({
    response_type: 'code', client_id: clientId, redirect_uri: redirectUri,
    scope: '${app.requestedScopes.join(' ')}', state, code_challenge: challenge, code_challenge_method: 'S256',
  }))
})`
