// The code blocks of a document → samples in colours; the same in several languages as tabs; what can be run with a link that runs it.
import type { Token, Tokens } from 'marked'
import { highlighted } from '../pieces/code/highlight.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { runnableQuery } from './runnable.ts'
import type { DocsTexts } from './texts.ts'

export interface SampleOptions {
  readonly texts: DocsTexts
  readonly sandboxUrl?: string | undefined
}

/** Fences that stand one after the other in these languages are one sample. */
const tabNames: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'JavaScript',
  python: 'Python',
  swift: 'Swift',
  kotlin: 'Kotlin',
}

const runLink = ({ texts }: SampleOptions, query: string): Html =>
  html`<p class="run-sample"><a class="button small" href="/explorer?query=${encodeURIComponent(query)}" data-run="${query}">${texts.run}</a></p>`

/** A block that scrolls must be reachable by keyboard. */
export const sample = ({ text, lang = '' }: Pick<Tokens.Code, 'text' | 'lang'>, options: SampleOptions): Html => {
  const [language = ''] = lang.split(' ')
  const query = runnableQuery(text, lang, options.sandboxUrl)
  return html`<pre class="code" tabindex="0"><code data-language="${lang}">${highlighted(text, language)}</code></pre>\n${
    query !== undefined && runLink(options, query)
  }`
}

/** Radio buttons: arrow keys choose among them, and style sheets show what belongs to the chosen one, without script. */
const tabs = (codes: readonly Tokens.Code[], name: string, options: SampleOptions): Html =>
  html`<fieldset class="tabs"><legend class="visually-hidden">${options.texts.sampleLanguage}</legend>${codes.map(
    ({ lang = '' }, index) =>
      html`<input type="radio" class="visually-hidden" name="${name}" id="${name}-${lang}" value="${lang}"${attributes({ checked: index === 0 })}><label for="${name}-${lang}">${tabNames[lang] ?? lang}</label>`,
  )}${codes.map(code => html`<div class="tab-panel">${sample(code, options)}</div>`)}</fieldset>\n`

const isTab = (token: Token | undefined): token is Tokens.Code =>
  token?.type === 'code' && tabNames[(token as Tokens.Code).lang ?? ''] !== undefined

const nextCode = (tokens: readonly Token[], from: number): number => (tokens[from]?.type === 'space' ? from + 1 : from)

/** The fences from here on that are one sample, and where they end. */
const groupAt = (tokens: readonly Token[], start: number): { codes: Tokens.Code[]; end: number } => {
  const codes: Tokens.Code[] = []
  let end = start
  for (let index = start; ; ) {
    const token = tokens[index]
    if (!isTab(token) || codes.some(({ lang }) => lang === token.lang)) break
    codes.push(token)
    end = index + 1
    index = nextCode(tokens, end)
  }
  return { codes, end }
}

const asHtml = ({ text }: Html): Tokens.HTML => ({ type: 'html', raw: text, text, pre: false, block: true })

export const groupSamples = (tokens: readonly Token[], options: SampleOptions): Token[] => {
  const grouped: Token[] = []
  let groups = 0
  for (let index = 0; index < tokens.length; ) {
    const { codes, end } = groupAt(tokens, index)
    const token = tokens[index] as Token
    if (codes.length > 1) groups += 1
    grouped.push(codes.length > 1 ? asHtml(tabs(codes, `sample-${groups}`, options)) : token)
    index = codes.length > 1 ? end : index + 1
  }
  return grouped
}
