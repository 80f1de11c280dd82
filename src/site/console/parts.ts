// What the routes of console, review desk and administration share: their services and small common steps.

import { type App, findApp, findAppOfMember } from '../../apps/app.ts'
import type { Mode } from '../../apps/check-redirect-uri.ts'
import { mayDo } from '../../apps/team/roles.ts'
import type { Actor } from '../../audit/record-audit.ts'
import { Fault } from '../../base/fault.ts'
import type { Database } from '../../db/database.ts'
import { notFound } from '../../http/not-found.ts'
import type { Dial } from '../../outbound/way.ts'
import { forbidden } from '../frame/fault-page.ts'
import type { PageFrame, SignedInVisit } from '../frame/page-routes.ts'
import { rightFor } from './rights.ts'

export interface ConsoleParts {
  readonly database: Database
  readonly mode: Mode
  readonly pages: PageFrame
  readonly baseUrl: string
  readonly sandboxUrl: string
  /** Undefined: the public internet only. */
  readonly dial?: Dial | undefined
}

export const actorOf = ({ session, address }: SignedInVisit): Actor & { readonly userId: string } => ({
  kind: 'user',
  userId: session.user.id,
  address,
})

export const parameterOf = ({ request }: SignedInVisit, name: string): string =>
  String((request.params as Readonly<Record<string, string>>)[name] ?? '')

/**
 * The one place where a role is checked, for every page and action about an app, against the database as it is now. The app of
 * another team looks like one that does not exist.
 */
export const ownApp = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<App> => {
  const app = await findAppOfMember(database, parameterOf(visit, 'id'), visit.session.user.id)
  if (app === undefined) throw notFound()
  if (!mayDo(app.role, rightFor(visit.request.method, visit.request.routeOptions.url ?? ''))) throw forbidden()
  return app
}

/** For reviewers, who see every app. */
export const anyApp = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<App> => {
  const app = await findApp(database, parameterOf(visit, 'id'))
  if (app === undefined) throw notFound()
  return app
}

const refusals = new Set(['state_refused', 'registration_refused', 'credential_refused', 'invalid_scope'])

/** The message of a refusal; anything else is rethrown. */
export const refusalOf = (error: unknown): string => {
  if (error instanceof Fault && refusals.has(error.code)) return error.message
  throw error
}
