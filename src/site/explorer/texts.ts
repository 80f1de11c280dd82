// What the explorer says, in each language.
import type { Language } from '../../accounts/languages.ts'
import { ar } from './texts.ar.ts'
import { type ExplorerTexts, en } from './texts.en.ts'

export type { ExplorerTexts }

export const explorerTexts: Readonly<Record<Language, ExplorerTexts>> = { en, ar }
