// The stream of changes: open for as long as it can be, and opened again after a while that differs from screen to screen.
import { read } from './storage.js'

const FIRST_MS = 15_000
const LONGEST_MS = 5 * 60_000
/** The service shows a sign of life every 15 seconds. */
const SILENT_MS = 50_000
/** A stream that lasted as long as this was no failure. */
const STEADY_MS = 60_000
const UNPAIRED_MS = 2000

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Any moment within a time that doubles: the screens that a stop of the service cut off do not come back all at once. */
export const reconnectAfter = (failures, chance = Math.random()) =>
  1000 + chance * (Math.min(LONGEST_MS, FIRST_MS * 2 ** failures) - 1000)

/** Text as it arrives → the events that are complete, and what is left. */
export const splitEvents = text => {
  const parts = text.split('\n\n')
  const rest = parts.pop()
  const events = parts.flatMap(part => {
    const name = /^event: (\w+)$/m.exec(part)?.[1]
    const data = /^data: (.*)$/m.exec(part)?.[1]
    return name === undefined || data === undefined ? [] : [{ name, ...JSON.parse(data) }]
  })
  return { events, rest }
}

/** Aborts whatever takes its signal, unless it is told in time that all is well. */
const createPatience = () => {
  const controller = new AbortController()
  let timer
  const goOn = () => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(), SILENT_MS)
  }
  goOn()
  return { signal: controller.signal, goOn, end: () => clearTimeout(timer) }
}

let isOpen = false

/** While it is, nobody needs to ask often. */
export const isFollowing = () => isOpen

const readAll = async (response, { goOn }, onChange) => {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    goOn()
    const split = splitEvents(rest + value)
    rest = split.rest
    for (const { within } of split.events) setTimeout(onChange, Math.random() * within)
  }
}

/** Whether the token was refused. */
const listen = async ({ access_token }, onChange) => {
  const patience = createPatience()
  try {
    const headers = { authorization: `Bearer ${access_token}`, accept: 'text/event-stream' }
    const response = await fetch('/screen/changes', { headers, cache: 'no-store', signal: patience.signal })
    if (!response.ok) return response.status === 401
    isOpen = true
    await readAll(response, patience, onChange)
    return false
  } finally {
    patience.end()
    // From now on, somebody has to ask.
    if (isOpen) setTimeout(onChange, Math.random() * FIRST_MS)
    isOpen = false
  }
}

/** Never ends. `onChange` is called when there may be something new. */
export const follow = async onChange => {
  let failures = 0
  for (;;) {
    const tokens = await read('tokens')
    if (tokens === undefined) {
      await wait(UNPAIRED_MS)
      continue
    }
    const began = performance.now()
    const isRefused = await listen(tokens, onChange).catch(() => false)
    // Asking for the state gets a new token, or ends the screen.
    if (isRefused) onChange()
    failures = performance.now() - began > STEADY_MS ? 0 : failures + 1
    await wait(isRefused ? reconnectAfter(0) / 3 : reconnectAfter(failures))
  }
}
