// GraphiQL's editors: what is in them, and other content for them, which one can undo.

const editorsIn = place => [...document.querySelectorAll(`${place} .CodeMirror`)].map(host => host.CodeMirror)

export const queryEditor = () => editorsIn('.graphiql-query-editor')[0]

/** Variables and headers are in one place, one of them hidden. */
export const variablesEditor = () => editorsIn('.graphiql-editor-tool')[0]

export const headersEditor = () => editorsIn('.graphiql-editor-tool')[1]

/** Replaces what differs, so that cursor, folds and undo stay as they are. */
export const changeQuery = text => {
  const editor = queryEditor()
  const before = editor.getValue()
  let start = 0
  while (start < before.length && before[start] === text[start]) start += 1
  let end = 0
  const longest = Math.min(before.length, text.length) - start
  while (end < longest && before.at(-1 - end) === text.at(-1 - end)) end += 1
  const to = before.length - end
  editor.replaceRange(
    text.slice(start, text.length - end),
    editor.posFromIndex(start),
    editor.posFromIndex(to),
    '+builder',
  )
}
