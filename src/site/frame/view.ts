// What every page knows about its visitor.
import type { Language } from '../../accounts/languages.ts'
import type { Texts } from '../texts/texts.ts'

interface ViewUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly picture: string | undefined
  readonly isReviewer: boolean
  readonly isAdmin: boolean
}

export interface View {
  readonly language: Language
  readonly texts: Texts
  /** Undefined while nobody is signed in. */
  readonly user: ViewUser | undefined
  /** For the hidden field of every form on the page. */
  readonly antiForgery: string
  /** Path and query of this page, for links that show it in another language. */
  readonly here: string
  /** The parameter by which these links choose a language. */
  readonly languageParameter?: 'lang' | 'ui_locales'
  readonly development: boolean
}
