// The history: what was run in this browser, kept by it alone. Queries and variables, never headers or credentials.
import { element, isolated, make, numberWords, words } from './page-parts.js'

const KEY = 'minaret-explorer:history'
const MOST = 50
const LONGEST = 20_000

const readPast = () => {
  try {
    const past = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(past) ? past.filter(entry => typeof entry?.query === 'string') : []
  } catch {
    return []
  }
}

/** A browser may refuse to keep anything. */
const writePast = past => {
  try {
    localStorage.setItem(KEY, JSON.stringify(past))
  } catch {}
}

const lineOf = query =>
  query
    .replace(/^\s*#.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

const timeOf = at =>
  new Date(at).toLocaleString(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
    numberingSystem: 'latn',
  })

const entryOf = (entry, open) => {
  const facts = [timeOf(entry.at), `${numberWords(entry.elapsed)} ms`]
  if (entry.failed) facts.push(words.history.failed)
  const button = make(
    'button',
    { type: 'button', className: 'past', title: entry.query },
    make('code', { dir: 'ltr' }, lineOf(entry.query)),
    make('span', { className: 'soft small' }, isolated(facts.join(' · '))),
  )
  button.addEventListener('click', () => open(entry))
  return make('li', {}, button)
}

export const createHistory = open => {
  const list = element('history-list')
  const draw = () => {
    const past = readPast()
    if (past.length === 0) return list.replaceChildren(make('p', { className: 'soft small' }, words.history.empty))
    const clear = make('button', { type: 'button', className: 'button small' }, words.history.clear)
    clear.addEventListener('click', () => {
      writePast([])
      draw()
      document.querySelector('[data-tool="history"]').focus()
    })
    return list.replaceChildren(
      make('ul', { className: 'panel-list' }, ...past.map(entry => entryOf(entry, open))),
      clear,
    )
  }
  element('history').addEventListener('opened', draw)
  return {
    /** The same question again moves to the top. */
    add: ({ query, variables, elapsed, failed }) => {
      if (query.length + variables.length > LONGEST) return
      const others = readPast().filter(entry => entry.query !== query || entry.variables !== variables)
      const entry = { query, variables, elapsed: Math.round(elapsed), failed, at: Date.now() }
      writePast([entry, ...others].slice(0, MOST))
      if (!element('history').hidden) draw()
    },
  }
}
