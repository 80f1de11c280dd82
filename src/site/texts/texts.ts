// A language → its catalogue.
import type { Language } from '../../accounts/languages.ts'
import { ar } from './ar.ts'
import { en, type Texts } from './en.ts'

const catalogues: Readonly<Record<Language, Texts>> = { en, ar }

export type { Texts }

export const textsFor = (language: Language): Texts => catalogues[language]
