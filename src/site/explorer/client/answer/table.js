// Rows → a table. Columns of nested objects have a path.
import { fillWords, isolated, make, numberWords, words } from '../page-parts.js'
import { cellText, columnsOf, flatRows } from './rows.js'

const MOST_ROWS = 500

const cell = value => {
  const text = cellText(value)
  const made = make('td', typeof value === 'number' ? { className: 'number' } : {}, isolated(text))
  if (text.length > 60) made.title = text
  return made
}

export const answerTable = (name, rows) => {
  const flattened = flatRows(rows.slice(0, MOST_ROWS))
  const columns = columnsOf(flattened)
  const head = make('tr', {}, ...columns.map(column => make('th', { scope: 'col' }, isolated(column))))
  const body = flattened.map(row => make('tr', {}, ...columns.map(column => cell(row[column]))))
  const table = make(
    'table',
    {},
    make('caption', { className: 'visually-hidden' }, name),
    make('thead', {}, head),
    make('tbody', {}, ...body),
  )
  if (rows.length <= MOST_ROWS) return [table]
  const counts = { shown: numberWords(MOST_ROWS), count: numberWords(rows.length) }
  return [make('p', { className: 'soft small' }, fillWords(words.answer.shown, counts)), table]
}
