// The Markdown of a page → a file that stands by itself: its links lead to other files, by their whole address.
import type { GuideValues } from './guides.ts'

export const markdownFor = (markdown: string, baseUrl: NonNullable<GuideValues['base_url']>): string =>
  markdown
    .replaceAll(/\]\(\/docs\/([\w/-]+)(#[^)\s]*)?\)/g, (_, page: string, anchor = '') => `](/docs/${page}.md${anchor})`)
    .replaceAll('](/', `](${baseUrl}/`)

/** Of a page. */
export const markdownPath = (path: string): string => `${path}.md`
