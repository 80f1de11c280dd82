// A scope → the badges that warn about it: it changes data, it reaches people.
import { isWriteScope, type Scope, scopeDescriptions } from '../../access/scopes.ts'
import type { Texts } from '../texts/texts.ts'
import { type Html, html } from './html.ts'
import { badge } from './notices.ts'

const isPersonal = (scope: Scope): boolean => scopeDescriptions.some(({ name, personal }) => name === scope && personal)

export const scopeBadges = ({ appForm }: Texts, scope: Scope): Html =>
  html`${isWriteScope(scope) && badge(appForm.writes, 'bad')} ${isPersonal(scope) && badge(appForm.personal, 'warn')}`
