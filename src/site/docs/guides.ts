// The files of docs/guides (docs/ar in Arabic), written for a default start → pages in reading order, with this installation's values.
import { readFileSync } from 'node:fs'
import type { Language } from '../../accounts/languages.ts'
import { headingIdsOf, type RenderedDocument, renderMarkdown } from './render-markdown.ts'
import { docsTexts } from './texts.ts'

export interface Guide extends RenderedDocument {
  readonly slug: GuideSlug
  readonly markdown: string
  readonly group: GuideGroup
}

export type GuideGroup = 'start' | 'access' | 'data' | 'staff'

/** This installation's URLs, and the values between comments of these names: `<!-- name -->…<!-- /name -->`. */
export type GuideValues = Readonly<Record<string, string>>

const reading = [
  { slug: 'first-query', group: 'start' },
  { slug: 'sandbox', group: 'start' },
  { slug: 'get-an-app', group: 'start' },
  { slug: 'authorization-code', group: 'access' },
  { slug: 'client-credentials', group: 'access' },
  { slug: 'refresh-and-revoke', group: 'access' },
  { slug: 'assistants', group: 'access' },
  { slug: 'filtering', group: 'data' },
  { slug: 'pagination', group: 'data' },
  { slug: 'live', group: 'data' },
  { slug: 'keeping-a-copy', group: 'data' },
  { slug: 'webhooks', group: 'data' },
  { slug: 'writing', group: 'data' },
  { slug: 'rsvp', group: 'data' },
  { slug: 'prayer-times', group: 'data' },
  { slug: 'times-for-a-place', group: 'data' },
  { slug: 'typed-clients', group: 'data' },
  { slug: 'errors', group: 'data' },
  { slug: 'limits', group: 'data' },
  { slug: 'public-page', group: 'staff' },
  { slug: 'staff-masjid', group: 'staff' },
  { slug: 'staff-week', group: 'staff' },
  { slug: 'staff-times', group: 'staff' },
  { slug: 'your-account', group: 'staff' },
] as const satisfies readonly { readonly slug: string; readonly group: GuideGroup }[]

type GuideSlug = (typeof reading)[number]['slug']

/** The URLs of a default start, so that the guides can also be followed as files. */
const DEFAULT_BASE = 'http://localhost:3000'
const DEFAULT_SANDBOX = 'http://localhost:3001'

export const fillIn = (markdown: string, values: GuideValues): string =>
  markdown
    .replaceAll(DEFAULT_BASE, values.base_url ?? DEFAULT_BASE)
    .replaceAll(DEFAULT_SANDBOX, values.sandbox_url ?? DEFAULT_SANDBOX)
    .replaceAll(/<!-- (\w+) -->.*?<!-- \/\1 -->/gs, (written, name: string) =>
      values[name] === undefined ? written : `<!-- ${name} -->${values[name]}<!-- /${name} -->`,
    )

/** `[…](pagination.md)` between files → `/docs/pagination` between pages. The error list is a page beside the guides. */
const linkPages = (markdown: string): string =>
  markdown
    .replaceAll('](../errors.md', '](/docs/error-codes')
    .replaceAll(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, (_, slug: string, anchor = '') => `](/docs/${slug}${anchor})`)

/** A value that replaces a line must not be wrapped in comments on the page. */
const withoutComments = (markdown: string): string => markdown.replaceAll(/<!-- \/?\w+ -->/g, '')

const readDocument = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')

export const guideSlugs: readonly string[] = reading.map(({ slug }) => slug)

const folders: Readonly<Record<Language, string>> = { en: 'guides', ar: 'ar' }

export const guideFile = (slug: string, language: Language): string => `${folders[language]}/${slug}.md`

export const readGuide = (slug: string, language: Language): string => readDocument(guideFile(slug, language))

const pageMarkdown = (written: string, values: GuideValues): string =>
  withoutComments(linkPages(fillIn(written, values)))

/** Their texts are made when they are opened. Headings have the anchors of the English text in every language, so that a link to one of them always works. */
export const readGuides = (values: GuideValues, language: Language): readonly Guide[] =>
  reading.map(({ slug, group }) => {
    const markdown = pageMarkdown(readGuide(slug, language), values)
    const rendered = renderMarkdown(markdown, {
      texts: docsTexts[language],
      sandboxUrl: values.sandbox_url,
      headingIds: () => headingIdsOf(readGuide(slug, 'en')),
    })
    return { slug, group, markdown, ...rendered }
  })

/** The list of error codes, which is generated from the code. */
export const readErrorCodes = (): string => readDocument('errors.md')
