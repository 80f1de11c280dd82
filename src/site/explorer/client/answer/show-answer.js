// An answer → above GraphiQL's: how it is shown (JSON, table, map), what it cost, and how long it took.
import { countWords, element, make, words } from '../page-parts.js'
import { factsOf } from './facts.js'
import { answerMap } from './map.js'
import { flatRows, listsIn, placesIn } from './rows.js'
import { answerTable } from './table.js'

const state = { view: 'json', lists: [], chosen: '', places: [] }

const facts = make('p', { className: 'answer-facts', 'aria-live': 'polite' })
const shown = make('div', { className: 'answer-shown', tabIndex: 0, hidden: true, role: 'region' })

const choices = ['json', 'table', 'map'].map(view =>
  make('button', { type: 'button', className: 'tool', textContent: words.answer[view], 'data-view': view }),
)
const views = make(
  'div',
  { className: 'answer-views', role: 'group', 'aria-label': words.answer.view, hidden: true },
  ...choices,
)
const lists = make('select', { 'aria-label': words.answer.list, hidden: true })
const bar = make('div', { className: 'answer-bar' }, views, lists, facts)

const chosenList = () => state.lists.find(({ name }) => name === state.chosen) ?? state.lists[0]

/** The view that was asked for, or JSON where it has nothing to show. */
const currentView = () => {
  if (state.view === 'map' && state.places.length > 0) return 'map'
  return state.view !== 'json' && state.lists.length > 0 ? 'table' : 'json'
}

const contentOf = (view, list) => {
  if (view === 'json') return []
  return view === 'map' ? [answerMap(state.places)] : answerTable(list.name, list.rows)
}

const draw = () => {
  const list = chosenList()
  state.places = list === undefined ? [] : placesIn(flatRows(list.rows))
  const view = currentView()
  for (const choice of choices) {
    choice.setAttribute('aria-pressed', String(choice.dataset.view === view))
    choice.disabled = choice.dataset.view === 'map' ? state.places.length === 0 : false
    if (choice.dataset.view === 'table') choice.disabled = state.lists.length === 0
  }
  shown.ariaLabel = words.answer[view]
  shown.hidden = view === 'json'
  shown.replaceChildren(...contentOf(view, list))
  element('explorer').classList.toggle('shows-rows', view !== 'json')
}

for (const choice of choices)
  choice.addEventListener('click', () => {
    state.view = choice.dataset.view
    draw()
  })
lists.addEventListener('change', () => {
  state.chosen = lists.value
  draw()
})

/** GraphiQL makes its part of the page anew with another credential or endpoint. */
export const attachAnswer = () => {
  const place = document.querySelector('.graphiql-response')
  if (place === null || place.contains(bar)) return
  place.prepend(bar, shown)
}

const rowCount = found => found.reduce((sum, { rows }) => sum + rows.length, 0)

export const showAnswer = (answer, measured) => {
  state.lists = listsIn(answer?.data)
  lists.replaceChildren(...state.lists.map(({ name }) => make('option', { value: name, textContent: name })))
  if (!state.lists.some(({ name }) => name === state.chosen)) state.chosen = state.lists[0]?.name ?? ''
  lists.value = state.chosen
  lists.hidden = state.lists.length < 2
  views.hidden = false
  const counted = make('span', { className: 'fact' }, countWords(words.answer.rows, rowCount(state.lists)))
  facts.replaceChildren(...(measured === undefined ? [] : factsOf(measured)), ...(answer?.data ? [counted] : []))
  draw()
}
