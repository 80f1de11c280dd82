// Signs a person in and sends two requests on their behalf: who they are, and which masjids there are.
// CLIENT_ID=… node examples/code-pkce/code-pkce.mjs
import { settings, signIn } from './sign-in.mjs'

const tokens = await signIn('openid profile email masjid:read')
console.log(`Got an access token for ${tokens.expires_in} seconds, with the scopes: ${tokens.scope}`)

const authorization = `Bearer ${tokens.access_token}`

const userinfo = await fetch(`${settings.base}/api/oauth/userinfo`, { headers: { authorization } })
const person = await userinfo.json()
console.log(`Signed in as ${person.name} <${person.email}>`)

const answer = await fetch(`${settings.base}/v1/graphql`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ query: '{ up_masjids(limit: 3, order_by: {name: asc}) { name city } }' }),
})
const { data, errors } = await answer.json()
if (errors) throw new Error(errors[0].message)
for (const { name, city } of data.up_masjids) console.log(`${name}, ${city}`)
