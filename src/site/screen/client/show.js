// What is to be shown → the page. Only what changed is written, once a second.
import { fit } from './fit.js'
import { countdown, momentOf } from './moment.js'

const NOTICE_MS = 12_000
const LATE_MS = 5 * 60_000
/** More would leave no room for the times. */
const MOST_PINNED = 2

const element = id => document.getElementById(id)

const setText = (id, text) => {
  const found = element(id)
  if (found.textContent !== text) found.textContent = text
}

/** Our own HTML, escaped by the service. */
const setHtml = (id, html) => {
  const found = element(id)
  if (found.dataset.shown === html) return
  found.innerHTML = html
  found.dataset.shown = html
}

/** One line for each language of the screen. */
const setLines = (id, { languages }, lines) => {
  const found = element(id)
  if (found.dataset.shown === lines.join('\n')) return
  found.replaceChildren(
    ...lines.flatMap((line, index) => {
      const made = document.createElement('span')
      made.className = 'hall-words'
      made.lang = languages[index] ?? languages[0]
      made.dir = 'auto'
      made.textContent = line
      return index === 0 ? [made] : [' ', made]
    }),
  )
  found.dataset.shown = lines.join('\n')
}

export const showPart = name => {
  document.body.dataset.part = name
}

/** Without am and pm: whoever stands in front of it knows which it is. */
const clockAt = ({ languages, timezone, look }, now) =>
  new Intl.DateTimeFormat(languages[0], {
    timeZone: timezone,
    hour: look.clock === '12' ? 'numeric' : '2-digit',
    minute: '2-digit',
    hourCycle: look.clock === '12' ? 'h12' : 'h23',
  })
    .formatToParts(now)
    .filter(({ type }) => type !== 'dayPeriod')
    .map(({ value }) => value)
    .join('')
    .trim()

const showLook = state => {
  const { look, direction, languages, names } = state
  const { style, dataset } = document.documentElement
  document.documentElement.lang = languages[0]
  document.documentElement.dir = direction
  dataset.type = look.type
  style.setProperty('--hall-ground', look.ground)
  style.setProperty('--hall-accent', look.accent)
  setLines('name', state, names)
  const logo = element('logo')
  logo.hidden = look.logo === null
  if (look.logo !== null && logo.getAttribute('src') !== look.logo) logo.src = look.logo
}

const showRows = rows => {
  const lines = element('day').querySelectorAll('tbody tr')
  for (const [index, line] of lines.entries()) {
    const name = { next: 'hall-next-row', past: 'hall-past' }[rows[index]] ?? ''
    if (line.className !== name) line.className = name
  }
}

const showNext = (state, now, next) => {
  const words = next === undefined ? [] : state.words[`${next.kind}In`]
  setLines(
    'next',
    state,
    words.map((line, index) => line.replace('{prayer}', next.row.names[index] ?? next.row.names[0])),
  )
  setText('countdown', next === undefined ? '' : countdown(next.at - now))
}

const turnOf = (list, now, atOnce) => {
  const turns = Math.ceil(list.length / atOnce)
  const turn = turns === 0 ? 0 : Math.floor(now / NOTICE_MS) % turns
  return list.slice(turn * atOnce, (turn + 1) * atOnce)
}

const showNotices = ({ notices }, now) => {
  const current = notices.filter(({ until }) => until === null || until > now)
  const pinned = turnOf(
    current.filter(notice => notice.pinned),
    now,
    MOST_PINNED,
  )
  const others = turnOf(
    current.filter(notice => !notice.pinned),
    now,
    1,
  )
  setHtml('pinned', pinned.map(({ html }) => html).join(''))
  setHtml('notice', others.map(({ html }) => html).join(''))
}

const momentWords = ({ languages, timezone }, moment) =>
  new Intl.DateTimeFormat(languages[0], { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' }).format(moment)

/** What is wrong, in each language: no connection, and a clock that nobody has checked. */
const showStatus = ({ state, contact, isCutOff }, { at, trust }) => {
  const { offline, clockUnchecked } = state.words
  const isLate = at - contact > LATE_MS || (trust === 'unchecked' && isCutOff)
  const moment = momentWords(state, contact)
  const lines = offline.map((line, index) =>
    [line.replace('{moment}', moment), trust === 'unchecked' && clockUnchecked?.[index]].filter(Boolean).join(' · '),
  )
  setLines('status', state, isLate ? lines : [])
}

const showDay = (state, now, moment) => {
  setHtml('day', moment.day.html)
  setLines('which', state, moment.isTomorrow ? state.words.tomorrow : [])
  showRows(moment.rows)
  showNext(state, now, moment.next)
}

/** Instead of times that may be another day's. */
const showUnknown = (state, words, hint) => {
  setLines('ran-out-words', state, words)
  setLines('ran-out-hint', state, hint)
  showPart('ran-out')
}

const ranOutHint = ({ ranOutHint: hint, clockUnchecked }, trust) =>
  trust === 'unchecked' ? hint.map((line, index) => `${line} ${clockUnchecked[index]}.`) : hint

/**
 * @param kept the state, when the service was last reached, and whether it cannot be reached now
 * @param time the time, and whether it can be trusted
 */
export const show = (kept, time) => {
  const { state } = kept
  const { at: now, trust } = time
  const { words } = state
  showLook(state)
  if (trust === 'unknown') return showUnknown(state, words.clockUnknown, words.clockUnknownHint)
  const moment = momentOf(state, now)
  showStatus(kept, time)
  if (moment === undefined) return showUnknown(state, words.ranOut, ranOutHint(words, trust))
  setText('clock', clockAt(state, now))
  setText('dark-clock', clockAt(state, now))
  showNotices(state, now)
  showDay(state, now, moment)
  showPart(moment.isDark ? 'dark' : 'hall')
  if (moment.isDark) return
  const [pinned, notice] = [element('pinned').dataset.shown, element('notice').dataset.shown]
  fit({ name: state.names, day: moment.day.html, pinned, notice, look: [state.look, state.languages] })
}
