// Our own Markdown → HTML with anchors on its headings and on the rows of its tables, and the plain text of each section for the search.
import { Marked, type Token, type Tokens } from 'marked'
import { type Html, html, rawHtml } from '../pieces/html.ts'
import {
  type DocumentSection,
  headingAnchors,
  isHeading,
  plainText,
  rowIds,
  rowSections,
  sectionsOf,
} from './document-sections.ts'
import { groupSamples, type SampleOptions, sample } from './samples.ts'
import { docsTexts } from './texts.ts'

export interface RenderedDocument {
  readonly title: string
  /** The first paragraph, as plain text. */
  readonly summary: string
  readonly body: Html
  readonly sections: readonly DocumentSection[]
  /** The named rows of its tables. */
  readonly rows: readonly DocumentSection[]
}

/** Keys and whole addresses are there to be copied; a host alone is not. */
const isToCopy = (text: string): boolean => /^(mk_test_\w{10,}|https?:\/\/[^/\s]+\/\S+)$/.test(text)

const tableRow = (cells: readonly Html[], id: string | undefined): Html =>
  html`<tr${id !== undefined && html` id="${id}"`}>${cells}</tr>\n`

interface Anchors {
  readonly headings: ReadonlyMap<Token, string>
  readonly rows: ReadonlyMap<readonly Tokens.TableCell[], string>
}

const createMarked = (options: SampleOptions, anchors: Anchors): Marked =>
  new Marked({
    renderer: {
      heading(token) {
        const content = rawHtml(this.parser.parseInline(token.tokens))
        const level = rawHtml(String(token.depth))
        return html`<h${level} id="${anchors.headings.get(token)}">${content}</h${level}>\n`.text
      },
      code: token => sample(token, options).text,
      codespan: ({ text }) =>
        isToCopy(text) ? html`<code class="select-all">${text}</code>`.text : html`<code>${text}</code>`.text,
      table({ header, rows }) {
        const cells = (list: readonly Tokens.TableCell[]): Html[] => list.map(cell => rawHtml(this.tablecell(cell)))
        const body = rows.map(row => tableRow(cells(row), anchors.rows.get(row)))
        return html`<div class="table-frame" tabindex="0"><table>
<thead>${tableRow(cells(header), undefined)}</thead>
<tbody>${body}</tbody></table></div>\n`.text
      },
    },
  })

/** The first sentence; one that introduces something below it ends here. */
const firstSentence = (text: string): string => (/^.*?[.!?؟](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/:$/, '.')

interface MarkdownOptions extends SampleOptions {
  /** The anchors of its headings, if they are not made of their words. */
  readonly headingIds?: readonly string[]
}

const english: MarkdownOptions = { texts: docsTexts.en }

/** The page's own title is left out of the body: the layout shows it. */
export const renderMarkdown = (markdown: string, options: MarkdownOptions = english): RenderedDocument => {
  const tokens: Token[] = new Marked().lexer(markdown)
  const heading = tokens.find(token => isHeading(token, 1))
  const title = heading === undefined ? '' : plainText(heading)
  const rest = tokens.filter(token => token !== heading)
  const headings = headingAnchors(rest, options.headingIds)
  const rows = rowIds(rest, headings)
  const first = rest.find(({ type }) => type === 'paragraph')
  return {
    title,
    summary: first === undefined ? '' : firstSentence(plainText(first)),
    body: rawHtml(createMarked(options, { headings, rows }).parser(groupSamples(rest, options))),
    sections: sectionsOf(rest, title, headings),
    rows: rowSections(rows),
  }
}

/** The anchors of a document's headings, without its title. */
export const headingIdsOf = (markdown: string): string[] => {
  const tokens = new Marked().lexer(markdown).filter(token => !isHeading(token, 1))
  return [...headingAnchors(tokens).values()]
}
