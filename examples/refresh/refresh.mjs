// Signs a person in, refreshes the tokens, retries after a lost response, and revokes everything at the end.
// CLIENT_ID=… node examples/refresh/refresh.mjs
import { postForm, settings, signIn } from '../code-pkce/sign-in.mjs'

const client_id = settings.clientId

const refresh = refresh_token => postForm('/api/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id })

const isGood = async access_token => {
  const headers = { authorization: `Bearer ${access_token}` }
  return (await fetch(`${settings.base}/api/oauth/userinfo`, { headers })).ok
}

const first = await signIn('openid masjid:read')
console.log('signed in')

// Each refresh returns a new refresh token. Store it before you use the new access token.
const second = await refresh(first.refresh_token)
console.log(
  `refreshed; the refresh token is ${second.refresh_token === first.refresh_token ? 'the same' : 'a new one'}`,
)

// Suppose that response never arrived: for ten seconds the old token may be sent again, and returns the same successor.
const repeated = await refresh(first.refresh_token)
console.log(`repeated; the successor is ${repeated.refresh_token === second.refresh_token ? 'the same' : 'another'}`)

console.log(`before revoking, the access token is ${(await isGood(second.access_token)) ? 'good' : 'refused'}`)
await postForm('/oauth/revoke', { token: second.refresh_token, client_id })

// Every process is notified within a second.
const deadline = Date.now() + 1000
while ((await isGood(second.access_token)) && Date.now() < deadline) await new Promise(done => setTimeout(done, 50))
console.log(`after revoking, the access token is ${(await isGood(second.access_token)) ? 'good' : 'refused'}`)

const again = await refresh(second.refresh_token).catch(error => error.message)
console.log(`after revoking, a refresh gives ${String(again).split(':')[0]}`)
