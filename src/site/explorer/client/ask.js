// GraphiQL's questions → requests to the chosen endpoint, answers, and what is known about them.
import { EXPLAIN, readTimings, withoutExplanation } from './answer/facts.js'
import { followEvents } from './follow-events.js'
import { element } from './page-parts.js'

const hasOperation = (document, name) => new RegExp(`\\b(query|mutation|subscription)\\s+${name}\\b`).test(document)

// GraphiQL notices a new document a moment late: running it at once would send the last one's operation name.
const withOwnOperation = ({ operationName, ...rest }) =>
  operationName && hasOperation(rest.query, operationName) ? { ...rest, operationName } : rest

const lowered = headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

// The service answers a subscription with events, and anything else with JSON.
const headersOf = (credential, own) => ({
  'content-type': 'application/json',
  accept: 'application/graphql-response+json, application/json, text/event-stream',
  ...(credential === '' ? {} : { authorization: `Bearer ${credential}` }),
  [EXPLAIN]: '1',
  ...own,
})

const isIntrospection = ({ operationName }) => operationName === 'IntrospectionQuery'

const tellStatus = words => {
  element('live-status').textContent = words
}

let stop = () => undefined

/** Ends the subscription that is followed, if there is one. */
export const stopFollowing = () => stop()

// GraphiQL shows each result, and a button that stops the subscription.
const observe = ({ answer, control, again, onAnswer }) => ({
  subscribe: observer => {
    stopFollowing()
    const end = () => {
      control.abort()
      tellStatus('')
    }
    stop = () => {
      end()
      observer.complete()
    }
    const told = {
      ...observer,
      next: result => {
        onAnswer(result)
        observer.next(result)
      },
      complete: () => observer.complete(),
    }
    void followEvents({ answer, again, signal: control.signal, observer: told, tell: tellStatus })
    return { unsubscribe: end }
  },
})

/** @param onAnswer takes each answer and, unless it is one of many, what was measured. */
export const createAsk =
  (target, onAnswer) =>
  async (parameters, { headers = {} } = {}) => {
    const { endpoint, credential } = target()
    const own = lowered(headers)
    const request = {
      method: 'POST',
      headers: headersOf(credential, own),
      body: JSON.stringify(withOwnOperation(parameters)),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    }
    const control = new AbortController()
    const send = () => fetch(endpoint, { ...request, signal: control.signal })
    const started = performance.now()
    const answer = await send()
    if (answer.headers.get('content-type')?.startsWith('text/event-stream'))
      return observe({ answer, control, again: send, onAnswer })
    const result = await answer.json()
    const shown = EXPLAIN in own ? result : withoutExplanation(result)
    if (isIntrospection(parameters)) return shown
    onAnswer(shown, {
      parameters,
      status: answer.status,
      elapsed: performance.now() - started,
      timings: readTimings(answer.headers.get('server-timing')),
      cost: result.extensions?.cost,
      isFromMemory: result.extensions?.cache?.hit === true,
    })
    return shown
  }
