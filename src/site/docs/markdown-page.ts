// The Markdown of a page → a file that stands by itself: its links lead to other files, by their whole address.
import type { Language } from '../../accounts/languages.ts'
import { type GuideValues, guideSlugs } from './guides.ts'

/** Guides are in every language, what else there is in English. */
const languageFolder = (page: string, language: Language): string =>
  language === 'en' || !guideSlugs.includes(page) ? '' : `${language}/`

/** Of a page. */
export const markdownPath = (path: string, language: Language): string => {
  const page = path.replace('/docs/', '')
  return `/docs/${languageFolder(page, language)}${page}.md`
}

export const markdownFor = (
  markdown: string,
  baseUrl: NonNullable<GuideValues['base_url']>,
  language: Language,
): string =>
  markdown
    .replaceAll(
      /\]\((\/docs\/[\w/-]+)(#[^)\s]*)?\)/g,
      (_, path: string, anchor = '') => `](${markdownPath(path, language)}${anchor})`,
    )
    .replaceAll('](/', `](${baseUrl}/`)
