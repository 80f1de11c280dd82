// In the browser: what GraphiQL's editors lack for those who use a keyboard or hear the page.
import { settings } from './page-parts.js'

/** Tab leaves an editor, as it leaves any other field; in a list of suggestions it chooses one. Ctrl-] and Ctrl-[ indent. */
const letTabLeave = host => {
  host.addEventListener(
    'keydown',
    event => {
      const chooses = document.querySelector('.CodeMirror-hints') !== null
      if (event.key === 'Tab' && !chooses && event.target.closest('.CodeMirror') !== null) event.stopPropagation()
    },
    { capture: true },
  )
}

/** Variables and headers are in one place, which is named after the one that is shown. */
const nameOf = field => {
  const tools = [...document.querySelectorAll('.graphiql-editor-tool .graphiql-editor')]
  const index = tools.indexOf(field.closest('.graphiql-editor'))
  const name = ['Variables', 'Headers'][index]
  if (name !== undefined) return settings.graphiqlWords[name] ?? name
  return field.closest('[aria-label]')?.getAttribute('aria-label')
}

const nameFields = host => {
  for (const field of host.querySelectorAll('.CodeMirror textarea:not([aria-label])')) {
    const name = nameOf(field)
    if (name) field.setAttribute('aria-label', name)
  }
  // What scrolls must be reachable by keyboard.
  for (const scrolled of host.querySelectorAll('.CodeMirror-scroll')) scrolled.setAttribute('tabindex', '0')
  // A tab has a button in it, so that it cannot be a button itself.
  for (const tabs of host.querySelectorAll('[role="tablist"]')) {
    tabs.removeAttribute('role')
    for (const tab of tabs.querySelectorAll('[role="tab"]')) {
      tab.removeAttribute('role')
      tab.removeAttribute('aria-selected')
    }
  }
}

export const makeAccessible = host => {
  letTabLeave(host)
  nameFields(host)
  new MutationObserver(() => nameFields(host)).observe(host, { childList: true, subtree: true })
}
