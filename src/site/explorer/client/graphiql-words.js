// GraphiQL's own words → those of the page's language. Code and what comes from the schema stay as they are.
import { settings } from './page-parts.js'

const dictionary = settings.graphiqlWords

const NAMES = ['aria-label', 'title', 'placeholder']

/** Nothing typed or answered is looked at. */
const isCode = node => node.closest('.CodeMirror, .answer-bar, .answer-shown') !== null

const translateNames = part => {
  for (const name of NAMES) {
    const word = dictionary[part.getAttribute(name)]
    if (word !== undefined) part.setAttribute(name, word)
  }
}

const translateText = part => {
  for (const node of part.childNodes) {
    if (node.nodeType !== Node.TEXT_NODE) continue
    const word = dictionary[node.data.trim()]
    if (word !== undefined) node.data = word
  }
}

const translate = root => {
  const parts = [root, ...root.querySelectorAll('*')]
  for (const part of parts) {
    if (isCode(part)) continue
    translateNames(part)
    translateText(part)
  }
}

/** GraphiQL's dialogs and tooltips are beside its container, so the whole page is watched. */
export const translateGraphiql = () => {
  if (Object.keys(dictionary).length === 0) return
  const observer = new MutationObserver(records => {
    for (const { target, addedNodes } of records) {
      if (target.nodeType === Node.ELEMENT_NODE && !isCode(target)) {
        translateNames(target)
        translateText(target)
      }
      for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE && !isCode(node)) translate(node)
    }
  })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: NAMES })
}
