// Who is signed in → nothing, or a refusal: a development client works for the team of its app alone.
import { Fault } from '../../base/fault.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Client } from '../clients/client.ts'

const notOnTeam = (): Fault =>
  new Fault({
    code: 'not_on_team',
    status: 403,
    message: 'This app is still being developed: only the accounts of its team can sign in with it.',
  })

const isOnTeam = async (database: Queryable, appId: string, userId: string): Promise<boolean> =>
  (await database.first<{ on: boolean }>(sql`select minaret.is_on_team(${appId}, ${userId}) as on`))?.on === true

/** The database refuses such a grant too. @throws {Fault} `not_on_team`, to be shown on a page. */
export const requireTeam = async (
  { database }: { readonly database: Queryable },
  { appId, development }: Pick<Client, 'appId' | 'development'>,
  userId: string,
): Promise<void> => {
  if (development && !(await isOnTeam(database, appId, userId))) throw notOnTeam()
}

/** Sent to no app: what follows happens here, with another account. */
export const isNotOnTeam = (error: unknown): boolean => error instanceof Fault && error.code === 'not_on_team'
