// The files of docs/guides, with the addresses of this installation filled in → pages in reading order.
import { readFileSync } from 'node:fs'
import { type RenderedDocument, renderMarkdown } from './render-markdown.ts'

export interface Guide extends RenderedDocument {
  readonly slug: string
  readonly group: GuideGroup
}

export type GuideGroup = 'start' | 'access' | 'data'

/** What stands in braces in the files, and what takes its place here. */
export type GuideValues = Readonly<Record<string, string>>

const reading: readonly { readonly slug: string; readonly group: GuideGroup }[] = [
  { slug: 'first-query', group: 'start' },
  { slug: 'sandbox', group: 'start' },
  { slug: 'get-an-app', group: 'start' },
  { slug: 'authorization-code', group: 'access' },
  { slug: 'client-credentials', group: 'access' },
  { slug: 'refresh-and-revoke', group: 'access' },
  { slug: 'filtering', group: 'data' },
  { slug: 'pagination', group: 'data' },
  { slug: 'prayer-times', group: 'data' },
  { slug: 'typed-clients', group: 'data' },
  { slug: 'errors', group: 'data' },
  { slug: 'limits', group: 'data' },
]

export const groupTitles: Readonly<Record<GuideGroup, string>> = {
  start: 'Start here',
  access: 'Access',
  data: 'Data',
}

const fillIn = (markdown: string, values: GuideValues): string =>
  markdown.replaceAll(/\{(\w+)\}/g, (written, name: string) => values[name] ?? written)

const readDocument = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')

export const readGuides = (values: GuideValues): readonly Guide[] =>
  reading.map(({ slug, group }) => ({
    slug,
    group,
    ...renderMarkdown(fillIn(readDocument(`guides/${slug}.md`), values)),
  }))

/** The list of error codes, which is made from the code. */
export const readErrorCodes = (): RenderedDocument => renderMarkdown(readDocument('errors.md'))
