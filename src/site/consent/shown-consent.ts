// What an app asks for → the words in which the consent page asks the person, to be kept with the consent.
import { sortClaims } from '../../access/claims.ts'
import { isWriteScope, sortScopes } from '../../access/scopes.ts'
import { sha256 } from '../../base/secrets.ts'
import type { DescribeConsent } from '../../oauth/authorize/shown-consent.ts'
import type { View } from '../frame/view.ts'
import { fillText } from '../pieces/fill.ts'

/** Digits enough to tell wordings apart. */
const digestOf = (words: unknown): string => sha256(JSON.stringify(words)).toString('hex').slice(0, 16)

export const describeConsent =
  ({ texts: { consent, scopes: scopeTexts }, language }: View): DescribeConsent =>
  (client, { scopes, claims }) => {
    const sorted = sortScopes(scopes)
    const words = {
      scopes: sorted.map(scope => ({ scope, title: scopeTexts[scope].title, text: scopeTexts[scope].opens })),
      ...(sorted.some(isWriteScope) ? { may_change: `${consent.mayChange} ${consent.mayChangeHint}` } : {}),
      ...(client.ownRows ? { own_only: consent.ownOnly } : {}),
      sees: consent.sees,
      claims: (['sub', ...sortClaims(claims)] as const).map(claim => ({ claim, title: consent.claims[claim] })),
      withdraw: consent.withdrawHint,
    }
    const app = { app: client.name, owner: client.ownerName, heading: fillText(consent.heading, { app: client.name }) }
    return { language, version: digestOf(words), shown: { ...app, ...words } }
  }
