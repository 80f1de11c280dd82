// In the browser: a value → its JSON in an element, coloured like the samples that the server writes.

const pieces = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g

const classOf = ([whole, string, colon]) => {
  if (colon) return 'hljs-attr'
  if (string) return 'hljs-string'
  return /^[tfn]/.test(whole) ? 'hljs-literal' : 'hljs-number'
}

const marked = found => {
  const span = document.createElement('span')
  span.className = classOf(found)
  span.textContent = found[2] ? found[1] : found[0]
  return span
}

// biome-ignore lint/correctness/noUnusedVariables: the scripts of pages call it
const showJson = (element, value) => {
  const text = JSON.stringify(value, null, 2)
  const parts = []
  let end = 0
  for (const found of text.matchAll(pieces)) {
    const length = found[2] ? found[1].length : found[0].length
    parts.push(text.slice(end, found.index), marked(found))
    end = found.index + length
  }
  element.replaceChildren(...parts, text.slice(end))
}
