// In the browser: GraphiQL with our tools around it, and a credential that stays in this page's memory.
/* global React, ReactDOM, GraphiQL */
import { makeAccessible } from './accessible-editors.js'
import { attachAnswer, showAnswer } from './answer/show-answer.js'
import { createAsk, stopFollowing } from './ask.js'
import { createBuilder } from './builder/builder.js'
import { queryEditor, variablesEditor } from './editors.js'
import { translateGraphiql } from './graphiql-words.js'
import { suggestHeaders } from './header-hints.js'
import { element, settings } from './page-parts.js'
import { createHistory } from './past-queries.js'
import { createSavedQueries } from './saved-queries.js'
import { createSharing, readLink, takeDraft } from './share.js'
import { createStorage } from './storage.js'
import { closeWhereItCovers, openTool } from './tools.js'

const opened = readLink() ?? takeDraft() ?? { query: settings.query, variables: '' }
const state = { credential: '', endpoint: element('endpoint').value, round: 0, ...opened }
const storage = createStorage()
const builder = createBuilder()

/** Another query in the editor. It is shown, and not run. */
const open = ({ query, variables = '' }) => {
  stopFollowing()
  state.query = query
  state.variables = variables
  builder.follow(query)
  render()
  closeWhereItCovers()
}

/** GraphiQL tells what was typed a moment late. */
const currentState = () => {
  state.query = queryEditor()?.getValue() ?? state.query
  state.variables = variablesEditor()?.getValue() ?? state.variables
  return { query: state.query, variables: state.variables, credential: state.credential }
}

const past = createHistory(open)

const onAnswer = (answer, measured) => {
  showAnswer(answer, measured)
  if (measured === undefined) return
  const { query, variables } = measured.parameters
  const text = variables === undefined || variables === null ? '' : JSON.stringify(variables, null, 2)
  past.add({ query, variables: text, elapsed: measured.elapsed, failed: answer.errors !== undefined })
}

const ask = createAsk(() => state, onAnswer)

/** The documentation and a panel of ours would leave little of the editor. */
const makeRoom = plugin => {
  if (plugin !== null) openTool(undefined)
}

const root = ReactDOM.createRoot(element('explorer'))

// A new key makes GraphiQL load the schema again: another credential or endpoint shows other tables.
const render = () =>
  root.render(
    React.createElement(GraphiQL, {
      key: state.round,
      fetcher: ask,
      storage,
      query: state.query,
      variables: state.variables,
      defaultQuery: settings.query,
      forcedTheme: 'system',
      isHeadersEditorEnabled: true,
      shouldPersistHeaders: false,
      defaultEditorToolsVisibility: false,
      onSchemaChange: builder.useSchema,
      onTogglePluginVisibility: makeRoom,
      onEditQuery: query => {
        state.query = query
        builder.follow(query)
      },
      onEditVariables: variables => {
        state.variables = variables
      },
    }),
  )

const readAgain = () => {
  stopFollowing()
  currentState()
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

document.querySelector('.explorer-settings').addEventListener('submit', event => event.preventDefault())

const RUN_WITHIN_MS = 10_000

// GraphiQL has no call that runs a query: its button is pressed once the query is in the editor.
const runWhenShown = (query, until = performance.now() + RUN_WITHIN_MS) => {
  const button = document.querySelector('.graphiql-execute-button')
  if (state.query !== query || performance.now() > until) return
  if (queryEditor()?.getValue() === query && button !== null) button.click()
  else requestAnimationFrame(() => runWhenShown(query, until))
}

for (const link of document.querySelectorAll('[data-example]')) {
  link.addEventListener('click', event => {
    event.preventDefault()
    const { query, needsKey } = settings.examples.find(({ name }) => name === link.dataset.example)
    // Before the query: another credential takes along what is in the editor.
    if (needsKey && state.credential === '') useTestKey()
    open({ query })
    runWhenShown(query)
  })
}

createSharing(currentState, open)
createSavedQueries(currentState, open)
translateGraphiql()
new MutationObserver(() => {
  attachAnswer()
  suggestHeaders()
}).observe(element('explorer'), { childList: true, subtree: true })
render()
builder.follow(state.query)
makeAccessible(element('explorer'))
