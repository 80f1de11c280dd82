// Asks the service for what is new, and keeps it: paired → asked every half minute → paired again once it was ended.
import { pair, refresh } from './pairing.js'
import { read, write } from './storage.js'

const ASK_AGAIN_MS = 30_000

const kept = { state: undefined, etag: undefined, contact: 0 }

/** What there is to show; undefined before the first answer. */
export const current = () => (kept.state === undefined ? undefined : kept)

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

const keepTokens = ({ access_token, refresh_token }) => write({ tokens: { access_token, refresh_token } })

/** Nothing of the masjid stays on a screen that was ended. */
const forget = async () => {
  kept.state = undefined
  kept.etag = undefined
  await write({ tokens: undefined, state: undefined })
}

/** One tab at a time: a second one finds the tokens that the first one got. */
const renew = used =>
  navigator.locks.request('minaret-screen', async () => {
    const tokens = await read('tokens')
    if (tokens?.access_token !== used) return
    const answer = await refresh(tokens.refresh_token)
    if (answer.ok) return keepTokens(answer.body)
    if (answer.status === 400 || answer.status === 401) return forget()
    throw new Error(String(answer.status))
  })

/** A state is kept only when all of it has arrived and can be read. */
const take = async response => {
  const state = await response.json()
  const etag = response.headers.get('etag') ?? undefined
  Object.assign(kept, { state, etag, contact: Date.now() })
  await write({ state: { state, etag, contact: kept.contact } })
}

const ask = async () => {
  const tokens = await read('tokens')
  if (tokens === undefined) return keepTokens(await pair())
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    ...(kept.etag === undefined ? {} : { 'if-none-match': kept.etag }),
  }
  const response = await fetch('/screen/state', { headers, cache: 'no-store', signal: AbortSignal.timeout(20_000) })
  if (response.status === 401) return renew(tokens.access_token)
  if (response.status === 304) kept.contact = Date.now()
  if (response.status === 200) await take(response)
  await wait(ASK_AGAIN_MS)
}

/** Never ends; whatever fails is tried again. */
export const keepUp = async () => {
  Object.assign(kept, await read('state').catch(() => undefined))
  for (;;) await ask().catch(() => wait(ASK_AGAIN_MS))
}
