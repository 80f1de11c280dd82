// In the browser: GraphiQL, its gallery of examples, and a credential that stays in this page's memory.
/* global React, ReactDOM, GraphiQL, followEvents, makeAccessible */

const element = id => document.getElementById(id)
const settings = JSON.parse(element('settings').textContent)
const state = { credential: '', endpoint: element('endpoint').value, query: settings.query, round: 0 }

// The service answers a subscription with events, and anything else with JSON.
const headers = () => ({
  'content-type': 'application/json',
  accept: 'application/graphql-response+json, application/json, text/event-stream',
  ...(state.credential === '' ? {} : { authorization: `Bearer ${state.credential}` }),
})

const hasOperation = (document, name) => new RegExp(`\\b(query|mutation|subscription)\\s+${name}\\b`).test(document)

// GraphiQL notices a new document a moment late: running it at once would send the last one's operation name.
const withOwnOperation = ({ operationName, ...rest }) =>
  operationName && hasOperation(rest.query, operationName) ? { ...rest, operationName } : rest

const requestOf = parameters => ({
  method: 'POST',
  headers: headers(),
  body: JSON.stringify(withOwnOperation(parameters)),
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
})

const status = element('live-status')
let stopFollowing = () => undefined

// GraphiQL shows each result, and a button that stops the subscription.
const observe = (answer, control, again) => ({
  subscribe: observer => {
    stopFollowing()
    const tell = words => {
      status.textContent = words
    }
    const stop = () => {
      control.abort()
      tell('')
    }
    stopFollowing = () => {
      stop()
      observer.complete()
    }
    void followEvents({ answer, again, signal: control.signal, observer, tell })
    return { unsubscribe: stop }
  },
})

const ask = async parameters => {
  const { endpoint } = state
  const request = requestOf(parameters)
  const control = new AbortController()
  const send = () => fetch(endpoint, { ...request, signal: control.signal })
  const answer = await send()
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
  return isStream ? observe(answer, control, send) : answer.json()
}

const root = ReactDOM.createRoot(element('explorer'))

// A new key makes GraphiQL load the schema again: another credential or endpoint shows other tables.
const render = () =>
  root.render(
    React.createElement(GraphiQL, {
      key: state.round,
      fetcher: ask,
      query: state.query,
      defaultQuery: settings.query,
      isHeadersEditorEnabled: false,
      shouldPersistHeaders: false,
      defaultEditorToolsVisibility: false,
      onEditQuery: query => {
        state.query = query
      },
    }),
  )

const readAgain = () => {
  stopFollowing()
  state.round += 1
  render()
}

const useCredential = credential => {
  if (credential === state.credential) return
  state.credential = credential
  readAgain()
}

element('credential').addEventListener('change', event => useCredential(event.target.value.trim()))

const useTestKey = () => {
  element('credential').value = settings.testKey
  element('endpoint').selectedIndex = 0
  state.endpoint = element('endpoint').value
  useCredential(settings.testKey)
}

element('use-test-key').addEventListener('click', useTestKey)

element('endpoint').addEventListener('change', event => {
  state.endpoint = event.target.value
  readAgain()
})

document.querySelector('form').addEventListener('submit', event => event.preventDefault())

const RUN_WITHIN_MS = 10_000

// GraphiQL has no call that runs a query: its button is pressed once the query is in the editor.
const runWhenShown = (query, until = performance.now() + RUN_WITHIN_MS) => {
  const editor = document.querySelector('.graphiql-query-editor .CodeMirror')?.CodeMirror
  const button = document.querySelector('.graphiql-execute-button')
  if (state.query !== query || performance.now() > until) return
  if (editor?.getValue() === query && button !== null) button.click()
  else requestAnimationFrame(() => runWhenShown(query, until))
}

for (const link of document.querySelectorAll('[data-example]')) {
  link.addEventListener('click', event => {
    event.preventDefault()
    stopFollowing()
    const { query, needsKey } = settings.examples.find(({ name }) => name === link.dataset.example)
    state.query = query
    if (needsKey && state.credential === '') useTestKey()
    else render()
    runWhenShown(query)
  })
}

render()
makeAccessible(element('explorer'))
