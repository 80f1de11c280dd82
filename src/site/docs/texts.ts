// What the frame of the documentation says, in each language.
import type { Language } from '../../accounts/languages.ts'
import { ar } from './texts.ar.ts'
import { type DocsTexts, en } from './texts.en.ts'

export type { DocsTexts }

export const docsTexts: Readonly<Record<Language, DocsTexts>> = { en, ar }
