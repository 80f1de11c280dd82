// A form that was sent without fresh proof → the page that asks for it, with the form sealed inside; then the form is carried out.
import type { AccountServices } from '../../accounts/account-services.ts'
import { isFresh } from '../../accounts/factors/step-up.ts'
import { seal, unseal } from '../../base/seal.ts'
import { deriveSecrets, type Secrets } from '../../base/secrets.ts'
import { formExpired } from '../frame/check-form.ts'
import { formValues } from '../frame/form-body.ts'
import { AGAIN_PAGE, HELD_FIELD, type ProveFirst } from '../frame/fresh-first.ts'
import { rememberReturn } from '../frame/return-address.ts'
import type { SignedInVisit, Visits } from '../frame/visit.ts'
import { ANTI_FORGERY_FIELD } from '../pieces/form.ts'
import { prove, showAgain } from './ask-again.ts'

export interface ProveFirstInput {
  readonly accounts: AccountServices
  readonly visits: Visits
  /** Of the installation. */
  readonly secrets: Secrets
}

/** Opened only for the same session and the same route. What was typed may be a password, so the page does not show it. */
const sealedFor = (secrets: Secrets, { session, request }: SignedInVisit) => ({
  name: `held form ${session.id} ${request.url}`,
  secret: deriveSecrets(secrets, 'held forms'),
})

const hold = (secrets: Secrets, visit: SignedInVisit): string => {
  const { [ANTI_FORGERY_FIELD]: _, ...typed } = (visit.request.body ?? {}) as Record<string, unknown>
  return seal(Buffer.from(JSON.stringify(typed)), sealedFor(secrets, visit)).toString('base64url')
}

const open = (secrets: Secrets, visit: SignedInVisit, held: string): unknown => {
  try {
    return JSON.parse(unseal(Buffer.from(held, 'base64url'), sealedFor(secrets, visit)).toString())
  } catch (error) {
    throw formExpired(`the held form cannot be opened: ${error}`)
  }
}

export const createProveFirst =
  ({ accounts, visits, secrets }: ProveFirstInput): ProveFirst =>
  async (visit, act) => {
    const { session, request } = visit
    const waiting = visit.form.text(HELD_FIELD)
    const held = waiting === '' ? hold(secrets, visit) : waiting
    const typed = waiting === '' ? undefined : open(secrets, visit, waiting)
    const wrong = typed === undefined || isFresh(session, 'sending') ? undefined : await prove(accounts, visit)
    if (typed !== undefined && wrong === undefined)
      return act({ ...visit, form: formValues(typed), session: { ...session, secondsSinceProof: 0 } })
    // For the tab in which a provider is visited.
    if (!session.hasFactor && accounts.providers.list.length > 0)
      rememberReturn(visits, visit, `${AGAIN_PAGE}?done=confirmed`)
    return showAgain(accounts, visit, { target: { action: request.url, held }, status: 403, wrong })
  }
