// One document and the list of all → its page: search, navigation, text.
import { directionOf, type Language } from '../../accounts/languages.ts'
import { publicTestKey } from '../../sandbox/public-test-key.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { showJsonScript } from '../pieces/code/show-json.ts'
import { copyButtons } from '../pieces/copy/copy.ts'
import { fill } from '../pieces/fill.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { docsScript } from './docs-assets.ts'
import { contentsList, type DocsContents, guidePath } from './docs-contents.ts'
import type { DocumentSection } from './document-sections.ts'
import type { Guide, GuideGroup } from './guides.ts'
import type { SearchHit } from './search-docs.ts'
import { type DocsTexts, docsTexts } from './texts.ts'

export interface DocsPageInput {
  readonly contents: DocsContents
  readonly path: string
  readonly title: string
  readonly body: Html
  /** Of the text: the reference is in English, whatever the language of the page. */
  readonly language: Language
  readonly sandboxUrl: string
  readonly sections?: readonly DocumentSection[]
  readonly words?: string
  /** Where the page is as Markdown. */
  readonly markdownPath?: string | undefined
  /** What of the page was filled in for the reader. */
  readonly filledIn?: Html | undefined
}

const searchForm = (
  texts: DocsTexts,
  words = '',
): Html => html`<form class="docs-search" role="search" action="/docs/search">
<label class="visually-hidden" for="words">${texts.searchLabel}</label>
<input id="words" name="q" type="search" value="${words}" placeholder="${texts.search}">
<button class="button small">${texts.search}</button></form>`

/** Fewer headings are seen at a glance. */
const FEWEST_HEADINGS = 3

const onThisPage = (texts: DocsTexts, sections: readonly DocumentSection[] = []): Html => {
  const headings = sections.filter(({ depth }) => depth === 2)
  return html`${
    headings.length >= FEWEST_HEADINGS &&
    html`<nav class="on-this-page" aria-label="${texts.onThisPage}"><h2>${texts.onThisPage}</h2>
<ul>${headings.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`
  }`
}

const script = (texts: DocsTexts, sandboxUrl: string): Html =>
  html`<script src="${showJsonScript.path}" defer></script><script src="${docsScript.path}" defer data-endpoint="${sandboxUrl}/v1/graphql" data-key="${publicTestKey}" data-running="${texts.running}" data-answer="${texts.answer}" data-failed="${texts.failed}"></script>`

export const docsPage = (view: View, input: DocsPageInput): Html => {
  const { contents, path, title, body, language, words, markdownPath, sections, filledIn } = input
  const texts = docsTexts[view.language]
  const foreign = language !== view.language
  const direction = attributes({ lang: foreign && language, dir: foreign && directionOf(language) })
  return page(view, {
    title,
    section: 'docs',
    head: html`${copyButtons(view)}${script(texts, input.sandboxUrl)}${markdownPath !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdownPath}">`}`,
    main: html`<div class="docs">
<aside>${searchForm(texts, words)}<details class="docs-menu"><summary>${texts.contents}</summary>${contentsList(contents, path, view.language)}</details></aside>
<article class="prose"><h1${direction}>${title}</h1>${onThisPage(texts, sections)}<div class="docs-body">${
      foreign && html`<p class="soft">${texts.inEnglish}</p>`
    }${filledIn}<div${direction}>${body}</div>
${markdownPath !== undefined && html`<p class="soft as-markdown"><a href="${markdownPath}">${texts.asMarkdown}</a></p>`}</div></article>
</div>`,
  })
}

const guideCard = (guide: Guide): Html =>
  html`<li class="card"><h3><a href="${guidePath(guide)}">${guide.title}</a></h3><p class="soft">${guide.summary}</p></li>`

export const docsOverview = ({ guides }: DocsContents, language: Language): Html => {
  const { lead, groups } = docsTexts[language]
  return html`<p class="lead">${lead}</p>
${(Object.entries(groups) as [GuideGroup, string][]).map(
  ([group, title]) => html`<section><h2>${title}</h2>
<ul class="plain-list docs-cards">${guides.filter(guide => guide.group === group).map(guideCard)}</ul></section>`,
)}`
}

export const searchResults = (language: Language, words: string, hits: readonly SearchHit[]): Html => {
  const texts = docsTexts[language]
  if (words === '') return html`<p>${texts.searchEmpty}</p>`
  if (hits.length === 0)
    return html`<p>${fill(texts.searchNothing, { words: html`<strong dir="auto">${words}</strong>` })}</p>`
  return html`<ol class="plain-list hits">${hits.map(
    ({ path, page: title, section, excerpt }) =>
      html`<li><a href="${path}"><bdi>${title}</bdi>${section !== title && html` · <bdi>${section}</bdi>`}</a><p class="soft" dir="auto">${excerpt}</p></li>`,
  )}</ol>`
}
