// The device authorization grant (RFC 8628) in the browser: shows a code until somebody has connected the screen.
import { showPart } from './show.js'

const CLIENT_ID = 'minaret-screen'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const SCOPE = 'masjid:read events:read prayer-times:read'
const TRY_AGAIN_MS = 10_000

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

const post = async (path, fields) => {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...fields })
  const response = await fetch(path, { method: 'POST', body, signal: AbortSignal.timeout(20_000), credentials: 'omit' })
  return { ok: response.ok, status: response.status, body: await response.json() }
}

const showCode = ({ user_code: code, verification_uri: address }) => {
  document.getElementById('code').textContent = code
  document.getElementById('address').textContent = address
  document.getElementById('qr').src = `/screen/qr/${code}.svg`
  showPart('pairing')
}

/** The tokens, or undefined once this code leads nowhere. */
const poll = async ({ device_code }, interval) => {
  await wait(interval * 1000)
  const answer = await post('/api/oauth/token', { grant_type: GRANT, device_code }).catch(() => undefined)
  if (answer?.ok) return answer.body
  const error = answer?.body.error
  if (error === 'slow_down') return poll({ device_code }, interval + 5)
  const goesOn =
    answer === undefined || answer.status >= 500 || error === 'authorization_pending' || answer.status === 429
  return goesOn ? poll({ device_code }, interval) : undefined
}

/** Resolves with tokens; a code that expires or is denied is followed by a new one. */
export const pair = async () => {
  const started = await post('/oauth/device_authorization', { scope: SCOPE }).catch(() => undefined)
  if (!started?.ok) {
    showPart('unreachable')
    await wait(TRY_AGAIN_MS)
    return pair()
  }
  showCode(started.body)
  return (await poll(started.body, started.body.interval)) ?? pair()
}

/** The service's answer: new tokens, or its refusal. Throws without a connection. */
export const refresh = token => post('/api/oauth/token', { grant_type: 'refresh_token', refresh_token: token })
