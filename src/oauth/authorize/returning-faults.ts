// A fault of a request whose redirect URI was checked → how it reaches the app: by itself, or on a page that names a stranger first.
import type { Session } from '../../accounts/sessions.ts'
import { Fault } from '../../base/fault.ts'
import type { Client } from '../clients/client.ts'
import { type Destination, type Return, returnFault } from './answer-location.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { findConsent } from './remembered-consent.ts'
import { isNotOnTeam } from './require-team.ts'

/** The browser goes on only if the person wants it to. */
export interface StrangerStop {
  readonly kind: 'stranger'
  readonly host: string
  readonly fault: Fault
  readonly back: Return
}

export interface Returning {
  readonly client: Client
  readonly session: Session | undefined
  readonly destination: Destination
}

/** Nobody here has looked at the app, and nobody in this browser has allowed it anything. */
const isStranger = async (
  { database }: Pick<AuthorizeParts, 'database'>,
  { client, session }: Returning,
): Promise<boolean> => {
  if (client.host === null || !client.ownRows) return false
  return session === undefined || (await findConsent(database, session.user.id, client.appId)).scopes.length === 0
}

/**
 * Faults go to the app, except those about who is signed in here. RFC 9700 section 4.11.2: otherwise anybody could use the
 * authorization endpoint to send people to a phishing site, by an invalid request, by `prompt=none`, or once they deny.
 */
export const returningFaults = async <T>(
  parts: Pick<AuthorizeParts, 'database'>,
  returning: Returning,
  work: () => Promise<T>,
): Promise<T | Return | StrangerStop> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500 || isNotOnTeam(error)) throw error
    const back = returnFault(returning.destination, error)
    if (!(await isStranger(parts, returning))) return back
    return { kind: 'stranger', host: returning.client.host ?? '', fault: error, back }
  }
}
