// Our own Markdown → HTML with anchors on its headings and on the rows of its tables, and the plain text of each section for the search.
import { Marked, type Token, type Tokens } from 'marked'
import { once } from '../../base/once.ts'
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
  /** Made when first asked for, like the others: whoever lists documents needs their titles alone. */
  readonly body: () => Html
  readonly sections: () => readonly DocumentSection[]
  /** The named rows of its tables. */
  readonly rows: () => readonly DocumentSection[]
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
  readonly headingIds?: () => readonly string[]
  /** Where it is known what the document is called, and nobody asks for its summary. */
  readonly title?: string
}

const english: MarkdownOptions = { texts: docsTexts.en }

const parsed = (tokens: readonly Token[]) => {
  const heading = tokens.find(token => isHeading(token, 1))
  const rest = tokens.filter(token => token !== heading)
  return { heading, rest, first: rest.find(({ type }) => type === 'paragraph') }
}

const lex = (markdown: string): ReturnType<typeof parsed> => parsed(new Marked().lexer(markdown))

/** What is above the first section says what the document is about, and is read in a fraction of the time. */
const aboutOf = (
  markdown: string,
  whole: () => ReturnType<typeof parsed>,
): Pick<RenderedDocument, 'title' | 'summary'> => {
  const above = lex(markdown.slice(0, /^## /m.exec(markdown)?.index))
  const { heading, first } = above.heading === undefined || above.first === undefined ? whole() : above
  return {
    title: heading === undefined ? '' : plainText(heading),
    summary: first === undefined ? '' : firstSentence(plainText(first)),
  }
}

/** The page's own title is left out of the body: the layout shows it. */
export const renderMarkdown = (markdown: string, options: MarkdownOptions = english): RenderedDocument => {
  const whole = once(() => lex(markdown))
  const about = options.title === undefined ? aboutOf(markdown, whole) : { title: options.title, summary: '' }
  const headings = once(() => headingAnchors(whole().rest, options.headingIds?.()))
  const rows = once(() => rowIds(whole().rest, headings()))
  const render = (): string =>
    createMarked(options, { headings: headings(), rows: rows() }).parser(groupSamples(whole().rest, options))
  return {
    ...about,
    body: once(() => rawHtml(render())),
    sections: once(() => sectionsOf(whole().rest, about.title, headings())),
    rows: once(() => rowSections(rows())),
  }
}

/** The anchors of a document's headings, without its title. */
export const headingIdsOf = (markdown: string): string[] => {
  const tokens = new Marked().lexer(markdown).filter(token => !isHeading(token, 1))
  return [...headingAnchors(tokens).values()]
}
