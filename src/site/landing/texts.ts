// What the landing page says, in each language.
import type { Language } from '../../accounts/languages.ts'
import { ar } from './texts.ar.ts'
import { en, type LandingTexts } from './texts.en.ts'

export type { LandingTexts }

export const landingTexts: Readonly<Record<Language, LandingTexts>> = { en, ar }
