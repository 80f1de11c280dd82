// The editor of headers → completion: the headers that the service reads, with what they are for. GraphiQL has none.
import { headersEditor } from './editors.js'
import { words } from './page-parts.js'

/** Names and usual values. The credential has a field of its own, which nothing keeps. */
const known = [
  { name: 'X-Minaret-Explain', value: '1', about: words.headers.explain },
  { name: 'X-Minaret-Dry-Run', value: '1', about: words.headers.dryRun },
  { name: 'X-Minaret-Position', value: '', about: words.headers.position },
  { name: 'Idempotency-Key', value: '', about: words.headers.idempotency },
]

const WORD = /"?[\w-]*$/

const suggestionOf = ({ name, value, about }) => ({
  text: `"${name}": "${value}"`,
  displayText: `${name}  ·  ${about}`,
})

/** Only where the name of a header stands. */
const isAtName = editor => /(^|[{,])\s*"?[\w-]*$/.test(editor.getRange({ line: 0, ch: 0 }, editor.getCursor()))

const suggest = editor => {
  const { line, ch } = editor.getCursor()
  const [typed] = WORD.exec(editor.getLine(line).slice(0, ch))
  const start = typed.replace('"', '').toLowerCase()
  // A quote that the editor has closed by itself is replaced too.
  const isClosed = typed.startsWith('"') && editor.getLine(line)[ch] === '"'
  const found = isAtName(editor) ? known.filter(({ name }) => name.toLowerCase().startsWith(start)) : []
  return {
    list: found.map(suggestionOf),
    from: { line, ch: ch - typed.length },
    to: { line, ch: ch + (isClosed ? 1 : 0) },
  }
}

/** GraphiQL asks for suggestions after each letter, and has none for headers. */
export const suggestHeaders = () => {
  const editor = headersEditor()
  if (editor === undefined || editor.getOption('hintOptions')?.hint === suggest) return
  editor.setOption('hintOptions', { hint: suggest, completeSingle: false })
  const show = () => editor.showHint()
  editor.addKeyMap({ 'Ctrl-Space': show, 'Alt-Space': show })
}
