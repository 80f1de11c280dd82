// A start that the database refused for lack of rights → one error that has the SQL to grant them, and no stack.
import type pg from 'pg'
import { Fault } from '../base/fault.ts'
import type { Connection } from './connection.ts'
import { databaseCode } from './database-fault.ts'
import { StartFault } from './embedded/start-fault.ts'
import { readForeign, readOwnerRights } from './owner-rights.ts'
import { withClient } from './with-client.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

const isAboutRoles = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === 'database_role_refused'

const causeOf = (error: unknown): unknown => (isAboutRoles(error) ? error.cause : error)

export const isRightMissing = (error: unknown): boolean => databaseCode(causeOf(error)) === INSUFFICIENT_PRIVILEGE

/** All that is lacking at once, so that nobody has to start once for each right. */
const describe = async (client: pg.Client, error: Error): Promise<string> => {
  const { role, database, creating, roles } = await readOwnerRights(client)
  const foreign = await readForeign(client)
  const statements = [...creating, ...roles, ...(foreign?.statements ?? [])]
  const refused = isAboutRoles(error)
    ? error.message
    : `The database ${database} does not let ${role} do what Minaret needs: ${error.message}.`
  const lines = statements.map(one => `  ${one};`)
  const grants = lines.length === 0 ? [] : [`As a superuser, run in the database ${database}:`, ...lines]
  const ways = foreign?.advice === undefined ? grants : [...grants, foreign.advice]
  return [refused, ...(ways.length === 0 ? ['bin/minaret doctor looks at its rights.'] : ways)].join('\n')
}

/** Any other error is returned as it is. */
const explainRefusal = async (owner: Connection, error: unknown): Promise<unknown> => {
  if (!(error instanceof Error) || !isRightMissing(error)) return error
  const connection = { ...owner, application_name: 'minaret rights' }
  const message = await withClient(connection, client => describe(client, error)).catch(() => error.message)
  return isAboutRoles(error)
    ? new Fault({ code: error.code, status: error.status, message, cause: error })
    : new StartFault(message, error)
}

/** Does what a start needs rights for. */
export const withRefusalsExplained = async <T>(owner: Connection, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw await explainRefusal(owner, error)
  }
}
