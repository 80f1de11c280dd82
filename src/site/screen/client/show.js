// What is to be shown → the page. Only what changed is written, once a second.
import { countdown, momentOf } from './moment.js'

const NOTICE_MS = 12_000
const LATE_MS = 5 * 60_000

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
    ...lines.map((line, index) => {
      const made = document.createElement('span')
      made.className = 'hall-words'
      made.lang = languages[index] ?? languages[0]
      made.dir = 'auto'
      made.textContent = line
      return made
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

const showLook = ({ look, direction, languages, name }) => {
  const { style, dataset } = document.documentElement
  document.documentElement.lang = languages[0]
  document.documentElement.dir = direction
  dataset.type = look.type
  style.setProperty('--hall-ground', look.ground)
  style.setProperty('--hall-accent', look.accent)
  setText('name', name)
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

const showNotices = ({ notices }, now) => {
  const current = notices.filter(({ until }) => until === null || until > now)
  const [urgent, others] = [current.filter(notice => notice.urgent), current.filter(notice => !notice.urgent)]
  setHtml('urgent', urgent.map(({ html }) => html).join(''))
  setHtml('notice', others[Math.floor(now / NOTICE_MS) % Math.max(1, others.length)]?.html ?? '')
}

const showStatus = (state, now, contact) => {
  const late = now - contact > LATE_MS
  const moment = new Intl.DateTimeFormat(state.languages[0], {
    timeZone: state.timezone,
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(contact)
  setLines('status', state, late ? state.words.offline.map(line => line.replace('{moment}', moment)) : [])
}

const showDay = (state, now, moment) => {
  setHtml('day', moment.day.html)
  setLines('which', state, moment.isTomorrow ? state.words.tomorrow : [])
  showRows(moment.rows)
  showNext(state, now, moment.next)
}

/** @param kept the state, and when the service was last reached */
export const show = ({ state, contact }, now) => {
  showLook(state)
  setText('clock', clockAt(state, now))
  setText('dark-clock', clockAt(state, now))
  showNotices(state, now)
  showStatus(state, now, contact)
  const moment = momentOf(state, now)
  if (moment === undefined) {
    setLines('ran-out-words', state, state.words.ranOut)
    setLines('ran-out-hint', state, state.words.ranOutHint)
    return showPart('ran-out')
  }
  showDay(state, now, moment)
  showPart(moment.isDark ? 'dark' : 'hall')
}
