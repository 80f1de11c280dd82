// The files of docs/guides, written for a default start → pages in reading order, with this installation's values.
import { readFileSync } from 'node:fs'
import { type RenderedDocument, renderMarkdown } from './render-markdown.ts'

export interface Guide extends RenderedDocument {
  readonly slug: string
  readonly markdown: string
  readonly group: GuideGroup
}

export type GuideGroup = 'start' | 'access' | 'data' | 'staff'

/** This installation's URLs, and the values between comments of these names: `<!-- name -->…<!-- /name -->`. */
export type GuideValues = Readonly<Record<string, string>>

const reading: readonly { readonly slug: string; readonly group: GuideGroup }[] = [
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
  { slug: 'prayer-times', group: 'data' },
  { slug: 'typed-clients', group: 'data' },
  { slug: 'errors', group: 'data' },
  { slug: 'limits', group: 'data' },
  { slug: 'public-page', group: 'staff' },
  { slug: 'staff-masjid', group: 'staff' },
  { slug: 'staff-week', group: 'staff' },
  { slug: 'staff-times', group: 'staff' },
  { slug: 'your-account', group: 'staff' },
]

export const groupTitles: Readonly<Record<GuideGroup, string>> = {
  start: 'Start here',
  access: 'Access',
  data: 'Data',
  staff: 'For masjids',
}

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

export const readGuide = (slug: string): string => readDocument(`guides/${slug}.md`)

export const readGuides = (values: GuideValues): readonly Guide[] =>
  reading.map(({ slug, group }) => {
    const markdown = withoutComments(linkPages(fillIn(readGuide(slug), values)))
    return { slug, group, markdown, ...renderMarkdown(markdown) }
  })

/** The list of error codes, which is generated from the code. */
export const readErrorCodes = (): string => readDocument('errors.md')
