// One document and the list of all → its page: search, navigation, text.

import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { copyButtons } from '../pieces/copy/copy.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { type Guide, type GuideGroup, groupTitles } from './guides.ts'
import type { SearchHit } from './search-docs.ts'

interface DocsLink {
  readonly path: string
  readonly title: string
}

/** What the navigation of every page lists. */
export interface DocsContents {
  readonly guides: readonly Guide[]
  readonly reference: readonly DocsLink[]
}

export interface DocsPageInput {
  readonly contents: DocsContents
  readonly path: string
  readonly title: string
  readonly body: Html
  readonly words?: string
  /** Where the page is as Markdown. */
  readonly markdownPath?: string | undefined
}

const contentsLink = ({ path, title }: DocsLink, here: string): Html =>
  html`<li><a href="${path}"${attributes({ 'aria-current': path === here && 'page' })}>${title}</a></li>`

export const guidePath = ({ slug }: Guide): string => `/docs/${slug}`

/** By group, in reading order. */
export const groupLinks = ({
  guides,
  reference,
}: DocsContents): readonly { title: string; links: readonly DocsLink[] }[] => [
  ...(Object.entries(groupTitles) as [GuideGroup, string][]).map(([group, title]) => ({
    title,
    links: guides.filter(guide => guide.group === group).map(guide => ({ path: guidePath(guide), title: guide.title })),
  })),
  { title: 'Reference', links: reference },
]

const contentsList = (
  contents: DocsContents,
  here: string,
): Html => html`<nav class="docs-contents" aria-label="Documentation">
${groupLinks(contents).map(
  ({ title, links }) => html`<h2>${title}</h2><ul>${links.map(link => contentsLink(link, here))}</ul>`,
)}</nav>`

const searchForm = (words = ''): Html => html`<form class="docs-search" role="search" action="/docs/search">
<label class="visually-hidden" for="words">Search the documentation</label>
<input id="words" name="q" type="search" value="${words}" placeholder="Search">
<button class="button small">Search</button></form>`

/** The documentation is in English, whatever the language of the page. */
export const docsPage = (view: View, { contents, path, title, body, words, markdownPath }: DocsPageInput): Html =>
  page(view, {
    title,
    section: 'docs',
    head: html`${copyButtons(view)}${markdownPath !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdownPath}">`}`,
    main: html`<div class="docs" lang="en" dir="ltr">
<aside>${searchForm(words)}<details class="docs-menu"><summary>Contents</summary>${contentsList(contents, path)}</details></aside>
<article class="prose"><h1>${title}</h1>${body}
${markdownPath !== undefined && html`<p class="soft as-markdown"><a href="${markdownPath}">This page as Markdown</a></p>`}</article>
</div>`,
  })

export const docsOverview = ({
  guides,
}: DocsContents): Html => html`<p class="lead">How to ask, how to be let in, and what there is.</p>
<ul class="plain-list docs-cards">${guides.map(
  guide =>
    html`<li class="card"><h2><a href="${guidePath(guide)}">${guide.title}</a></h2><p class="soft">${guide.summary}</p></li>`,
)}</ul>`

export const searchResults = (words: string, hits: readonly SearchHit[]): Html => {
  if (words === '') return html`<p>Write what you look for into the field.</p>`
  if (hits.length === 0)
    return html`<p>Nothing speaks of <strong>${words}</strong>. Try one word, or look through the contents.</p>`
  return html`<ol class="plain-list hits">${hits.map(
    ({ path, page: title, section, excerpt }) =>
      html`<li><a href="${path}">${title}${section !== title && html` · ${section}`}</a><p class="soft">${excerpt}</p></li>`,
  )}</ol>`
}
