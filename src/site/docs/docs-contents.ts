// Guides and reference → the lists of links that every page of the documentation has beside it, in the reader's language.
import type { Language } from '../../accounts/languages.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import type { Guide, GuideGroup } from './guides.ts'
import { docsTexts } from './texts.ts'

export interface DocsLink {
  readonly path: string
  readonly title: string
}

/** What the navigation of every page lists. */
export interface DocsContents {
  readonly guides: readonly Guide[]
  readonly reference: readonly DocsLink[]
}

export const guidePath = ({ slug }: Pick<Guide, 'slug'>): string => `/docs/${slug}`

/** By group, in reading order. */
export const groupLinks = (
  { guides, reference }: DocsContents,
  language: Language,
): readonly { title: string; links: readonly DocsLink[] }[] => {
  const texts = docsTexts[language]
  const link = (guide: Guide): DocsLink => ({ path: guidePath(guide), title: guide.title })
  return [
    ...(Object.entries(texts.groups) as [GuideGroup, string][]).map(([group, title]) => ({
      title,
      links: guides.filter(guide => guide.group === group).map(link),
    })),
    { title: texts.reference, links: reference },
  ]
}

const contentsLink = ({ path, title }: DocsLink, here: string): Html =>
  html`<li><a href="${path}"${attributes({ 'aria-current': path === here && 'page' })}><bdi>${title}</bdi></a></li>`

export const contentsList = (contents: DocsContents, here: string, language: Language): Html =>
  html`<nav class="docs-contents" aria-label="${docsTexts[language].title}">
${groupLinks(contents, language).map(
  ({ title, links }) => html`<h2>${title}</h2><ul>${links.map(link => contentsLink(link, here))}</ul>`,
)}</nav>`
