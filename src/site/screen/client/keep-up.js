// What is new → kept, and shown: asked for when the stream of changes says so, and from time to time in any case.
import { follow, isFollowing } from './changes.js'
import { clock } from './clock.js'
import { pair, refresh } from './pairing.js'
import { read, write } from './storage.js'

const ASK_AGAIN_MS = 30_000
/** While the stream of changes is open. */
const ASK_RARELY_MS = 5 * 60_000
/** However much changes. */
const LEAST_PAUSE_MS = 250
const KEEP_CLOCK_MS = 60_000
const MOST_LATENCY_MS = 1000
const UNAUTHORIZED = 401
/** As the service worker calls them. */
const PICTURES = 'screen-pictures'

const kept = { state: undefined, etag: undefined, contact: 0, isCutOff: false }

/** What there is to show; undefined before the first answer. */
export const current = () => (kept.state === undefined ? undefined : kept)

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** The token that came last. If it is refused too, another one would not help. */
let renewed
let isDue = false
let wake = () => undefined

export const askSoon = () => {
  isDue = true
  wake()
}

/** Not all screens at the same moment. */
const pause = () =>
  new Promise(resolve => {
    const milliseconds = (isFollowing() ? ASK_RARELY_MS : ASK_AGAIN_MS) * (0.8 + Math.random() * 0.2)
    const timer = setTimeout(resolve, isDue ? 0 : milliseconds)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })

const keepTokens = ({ access_token, refresh_token }) => write({ tokens: { access_token, refresh_token } })

/** Nothing of the masjid stays on a screen that was ended: not in what is kept, and not in the page. */
const forget = async () => {
  await write({ tokens: undefined, state: undefined })
  await globalThis.caches?.delete(PICTURES).catch(() => undefined)
  location.reload()
  await new Promise(() => undefined)
}

/** One tab at a time. In a page without https around it, browsers have no locks; then they keep nothing that tabs could share. */
const oneAtATime = work => (navigator.locks === undefined ? work() : navigator.locks.request('minaret-screen', work))

/** A second tab finds the tokens that the first one got. */
const renew = used =>
  oneAtATime(async () => {
    const tokens = await read('tokens')
    if (tokens?.access_token !== used) return
    const answer = await refresh(tokens.refresh_token)
    if (answer.ok) return keepTokens(answer.body)
    if (answer.status === 400 || answer.status === 401) return forget()
    throw new Error(String(answer.status))
  })

/** What the clock needs after a loss of power. */
const clockRecord = () => {
  const known = clock.keep()
  return known === undefined ? {} : { clock: { ...known, contact: kept.contact } }
}

/** The answer was on its way for half of the time at most; the rest of it was work. */
const setClock = (response, asked) => {
  const at = Number(response.headers.get('minaret-time'))
  if (at > 0) clock.set(at, Math.min(MOST_LATENCY_MS, (performance.now() - asked) / 2))
  kept.contact = clock.now().at
  kept.isCutOff = false
}

/** A state is kept only when all of it has arrived and can be read. */
const take = async response => {
  const state = await response.json()
  kept.state = state
  kept.etag = response.headers.get('etag') ?? undefined
  await write({ state: { state, etag: kept.etag }, ...clockRecord() })
}

const askWith = async token => {
  const known = kept.etag === undefined ? {} : { 'if-none-match': kept.etag }
  const headers = { authorization: `Bearer ${token}`, ...known }
  const asked = performance.now()
  const response = await fetch('/screen/state', { headers, cache: 'no-store', signal: AbortSignal.timeout(20_000) })
  if (response.status === 200 || response.status === 304) setClock(response, asked)
  if (response.status === 304) await write(clockRecord())
  if (response.status === 200) await take(response)
  return response.status
}

/** Whether to ask again at once: with the first token, or a new one. */
const ask = async () => {
  const tokens = await read('tokens')
  if (tokens === undefined) {
    await keepTokens(await pair())
    return true
  }
  if ((await askWith(tokens.access_token)) !== UNAUTHORIZED) return false
  const isNew = tokens.access_token === renewed
  await renew(tokens.access_token)
  renewed = (await read('tokens'))?.access_token
  return !isNew
}

const restore = async () => {
  const [state, known] = [await read('state'), await read('clock')]
  if (known !== undefined) clock.restore(known)
  Object.assign(kept, { ...state, contact: known?.contact ?? 0 })
}

/** Never ends; whatever fails is tried again. */
export const keepUp = async () => {
  await restore().catch(() => undefined)
  follow(askSoon)
  setInterval(() => write(clockRecord()), KEEP_CLOCK_MS)
  for (;;) {
    isDue = false
    const again = await ask().catch(() => {
      kept.isCutOff = true
      return false
    })
    await wait(LEAST_PAUSE_MS)
    if (!again) await pause()
  }
}
