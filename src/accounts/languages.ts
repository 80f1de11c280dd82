// The languages of pages and mail, and how one is chosen for a request.

export const languages = ['en', 'ar'] as const

export type Language = (typeof languages)[number]

export const isLanguage = (text: unknown): text is Language => (languages as readonly unknown[]).includes(text)

const fromTheRight = new Set(languages.filter(tag => new Intl.Locale(tag).getTextInfo().direction === 'rtl'))

export const directionOf = (language: Language): 'ltr' | 'rtl' => (fromTheRight.has(language) ? 'rtl' : 'ltr')

const primaryTag = (tag: string): string => tag.trim().toLowerCase().split('-')[0] ?? ''

/** The first supported language in a list of tags, such as `ui_locales` ("ar-SA en"). */
export const firstLanguage = (tags: readonly string[]): Language | undefined => tags.map(primaryTag).find(isLanguage)

/** The tags of `Accept-Language`, the preferred first (RFC 9110 section 12.5.4). */
export const acceptedTags = (header: string): string[] =>
  header
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.split(';').map(text => text.trim())
      const quality = parameters.find(text => text.startsWith('q='))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag)

export interface LanguageWishes {
  /** Space-separated, as in OpenID Connect. */
  readonly uiLocales: string | undefined
  readonly cookie: string | undefined
  readonly user: string | undefined
  readonly acceptLanguage: string | undefined
}

/** The preference closest to this request wins; English if none is supported. */
export const chooseLanguage = ({ uiLocales, cookie, user, acceptLanguage }: LanguageWishes): Language =>
  firstLanguage((uiLocales ?? '').split(/\s+/)) ??
  firstLanguage([cookie ?? '']) ??
  firstLanguage([user ?? '']) ??
  firstLanguage(acceptedTags(acceptLanguage ?? '')) ??
  'en'
