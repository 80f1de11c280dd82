// In the browser: the events of a subscription → results as they come. A connection that is lost is opened again.
import { fillWords, words } from './page-parts.js'

const LONGEST_WAIT_MS = 10_000

const timeOf = () => new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })

const eventIn = text => ({
  name: /^event: (.*)$/m.exec(text)?.[1],
  data: /^data: (.*)$/m.exec(text)?.[1],
})

/** Returns whether the service has ended the subscription; otherwise the connection was lost. */
const readEvents = async (answer, onResult) => {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of answer.body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = parts.pop()
    for (const { name, data } of parts.map(eventIn)) {
      if (name === 'next') onResult(JSON.parse(data))
      if (name === 'complete') return true
    }
  }
  return false
}

const pause = (milliseconds, signal) =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

export const followEvents = async ({ answer, again, signal, observer, tell }) => {
  let count = 0
  let failures = 0
  const onResult = result => {
    count += 1
    failures = 0
    observer.next(result)
    tell(fillWords(count === 1 ? words.live.first : words.live.next, { count, time: timeOf() }))
  }
  const readOnce = async () => {
    const opened = answer ?? (await again())
    answer = undefined
    if (opened.headers.get('content-type')?.startsWith('text/event-stream')) return readEvents(opened, onResult)
    observer.next(await opened.json())
    return opened.status < 500
  }
  while (!signal.aborted) {
    const hasEnded = await readOnce().catch(() => false)
    if (signal.aborted) return
    if (hasEnded) {
      tell(words.live.ended)
      return observer.complete()
    }
    failures += 1
    tell(words.live.lost)
    await pause(Math.min(500 * 2 ** failures, LONGEST_WAIT_MS), signal)
  }
}
