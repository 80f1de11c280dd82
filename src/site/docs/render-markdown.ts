// Our own Markdown → HTML with anchors on its headings, and the plain text of each section for the search.
import { Marked, Renderer, type Token, type Tokens } from 'marked'
import { type Html, html, rawHtml } from '../pieces/html.ts'

export interface DocumentSection {
  /** The anchor within the page; empty before the first heading. */
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface RenderedDocument {
  readonly title: string
  /** The first paragraph, as plain text. */
  readonly summary: string
  readonly body: Html
  readonly sections: readonly DocumentSection[]
}

export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

const plainText = (token: Token): string => {
  if ('tokens' in token && Array.isArray(token.tokens)) return token.tokens.map(plainText).join('')
  return 'text' in token ? String(token.text) : ''
}

const cellText = (table: Tokens.Table): string =>
  [table.header, ...table.rows].map(row => row.map(({ tokens }) => tokens.map(plainText).join('')).join(' ')).join('\n')

const blockText = (token: Token): string => {
  if (token.type === 'table') return cellText(token as Tokens.Table)
  if (token.type === 'list') return (token as Tokens.List).items.map(item => item.text).join('\n')
  return plainText(token)
}

const isHeading = (token: Token, depth: number): token is Tokens.Heading =>
  token.type === 'heading' && (token as Tokens.Heading).depth === depth

const sectionsOf = (tokens: readonly Token[], title: string): DocumentSection[] => {
  const sections: { id: string; title: string; text: string }[] = [{ id: '', title, text: '' }]
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plainText(token)
      if (!isHeading(token, 1)) sections.push({ id: headingId(text), title: text, text: '' })
    } else {
      const last = sections.at(-1)
      if (last !== undefined) last.text += `${blockText(token)}\n`
    }
  }
  return sections
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const content = rawHtml(this.parser.parseInline(tokens))
      const level = rawHtml(String(depth))
      return html`<h${level} id="${headingId(text)}">${content}</h${level}>\n`.text
    },
    // A block that scrolls must be reachable by keyboard.
    code({ text, lang }) {
      return html`<pre class="code" tabindex="0"><code data-language="${lang ?? ''}">${text}</code></pre>\n`.text
    },
    table(token) {
      return html`<div class="table-frame" tabindex="0">${rawHtml(Renderer.prototype.table.call(this, token))}</div>\n`
        .text
    },
  },
})

/** The first sentence; one that introduces something below it ends here. */
const firstSentence = (text: string): string => (/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/:$/, '.')

/** The page's own title is left out of the body: the layout shows it. */
export const renderMarkdown = (markdown: string): RenderedDocument => {
  const tokens = marked.lexer(markdown)
  const heading = tokens.find(token => isHeading(token, 1))
  const title = heading === undefined ? '' : plainText(heading)
  const rest = tokens.filter(token => token !== heading)
  const first = rest.find(({ type }) => type === 'paragraph')
  return {
    title,
    summary: first === undefined ? '' : firstSentence(plainText(first)),
    body: rawHtml(marked.parser(rest)),
    sections: sectionsOf(rest, title),
  }
}
