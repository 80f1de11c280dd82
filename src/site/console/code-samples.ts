// An app and the service's address → sample code that runs as pasted, with the app's own ids.
import type { App } from '../../apps/app.ts'
import { firstQueryFor } from './first-query.ts'

export interface Sample {
  readonly curl: string
  readonly typescript: string
  readonly python: string
}

export const KEY_PLACEHOLDER = 'YOUR_API_KEY'
const SECRET_PLACEHOLDER = 'YOUR_CLIENT_SECRET'

export const keySample = (app: App, baseUrl: string): Sample => {
  const query = firstQueryFor(app.scopes.length > 0 ? app.scopes : app.requestedScopes)
  const url = `${baseUrl}/v1/graphql`
  const body = JSON.stringify({ query })
  return {
    curl: `curl ${url} \\
  -H 'Authorization: Bearer ${KEY_PLACEHOLDER}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`,
    typescript: `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    'Authorization': 'Bearer ${KEY_PLACEHOLDER}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ query: ${JSON.stringify(query)} }),
})
const { data, errors } = await response.json()
console.log(errors ?? data)`,
    python: `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps({"query": ${JSON.stringify(query)}}).encode(),
    headers={
        "Authorization": "Bearer ${KEY_PLACEHOLDER}",
        "Content-Type": "application/json",
    },
)
print(json.load(urllib.request.urlopen(request)))`,
  }
}

/** Client credentials, RFC 6749 section 4.4: the app acts for itself. */
export const tokenSample = ({ clientId = '' }: App, baseUrl: string): Sample => {
  const url = `${baseUrl}/api/oauth/token`
  return {
    curl: `curl ${url} \\
  -u '${clientId}:${SECRET_PLACEHOLDER}' \\
  -d grant_type=client_credentials`,
    typescript: `const credentials = btoa('${clientId}:${SECRET_PLACEHOLDER}')
const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'Authorization': \`Basic \${credentials}\` },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
})
const { access_token } = await response.json()`,
    python: `import base64, json, urllib.request

credentials = base64.b64encode(b"${clientId}:${SECRET_PLACEHOLDER}").decode()
request = urllib.request.Request(
    "${url}",
    data=b"grant_type=client_credentials",
    headers={"Authorization": "Basic " + credentials},
)
print(json.load(urllib.request.urlopen(request))["access_token"])`,
  }
}

/** The first step of the authorization code flow with PKCE (RFC 7636): the URL to send the person to. */
export const signInSample = (
  { clientId = '', redirectUris, scopes }: App,
  baseUrl: string,
): string => `const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))

const url = new URL('${baseUrl}/oauth/authorize')
url.search = new URLSearchParams({
  response_type: 'code',
  client_id: '${clientId}',
  redirect_uri: '${redirectUris[0] ?? ''}',
  scope: '${scopes.join(' ')}',
  state: crypto.randomUUID(),
  code_challenge: base64url(new Uint8Array(digest)),
  code_challenge_method: 'S256',
}).toString()

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}`
