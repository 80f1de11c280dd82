// Refusals of the rules for apps, worded for the person who made the request.
import { Fault } from '../base/fault.ts'

export const appNotFound = (): Fault =>
  new Fault({ code: 'app_not_found', status: 404, message: 'There is no such app.' })

export const stateRefused = (message: string): Fault => new Fault({ code: 'state_refused', status: 409, message })

export const registrationRefused = (message: string): Fault =>
  new Fault({ code: 'registration_refused', status: 422, message })

export const scopeRefused = (message: string): Fault => new Fault({ code: 'invalid_scope', status: 400, message })

export const credentialRefused = (message: string): Fault =>
  new Fault({ code: 'credential_refused', status: 409, message })

/** Its form was sent before: the credential exists, and is not shown again. */
export const createdBefore = (): Fault =>
  new Fault({ code: 'created_before', status: 409, message: 'This credential was created before.' })

/** The codes raised by triggers in the database; see migrations/identity. */
const databaseFaults: Readonly<Record<string, () => Fault>> = {
  MN001: () => stateRefused('The app is no longer in a state that allows this. Look at it again.'),
  MN002: () => credentialRefused('Only an approved app can have this credential.'),
  MN005: () => new Fault({ code: 'own_app', status: 403, message: 'Another reviewer must decide about your own app.' }),
  MN006: () =>
    new Fault({ code: 'forbidden', status: 403, message: 'Only reviewers and administrators decide about apps.' }),
  MN008: () => stateRefused('An app always has an owner. Make somebody else an owner first.'),
  MN009: () => stateRefused('You have sent 50 invitations today. Go on tomorrow.'),
  MN010: () =>
    new Fault({
      code: 'forbidden',
      status: 403,
      message: 'An invitation is accepted by the account with its address.',
    }),
  MN011: () => stateRefused('Your team has sent 30 messages today. Go on tomorrow.'),
  MN012: () =>
    new Fault({ code: 'forbidden', status: 403, message: 'Owners and developers of an app save its queries.' }),
  MN013: () => stateRefused('An app has at most 100 saved queries. Delete one first.'),
  MN015: () =>
    stateRefused(
      'Whoever approved an app as a reviewer, or a change of it, does not join its team while they are one.',
    ),
  MN003: () => scopeRefused('A key cannot reach beyond the scopes of its app.'),
}

/** A refusal by the database as a fault; anything else is rethrown. */
export const explainDatabaseFault = (error: unknown): never => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  throw databaseFaults[code]?.() ?? error
}
