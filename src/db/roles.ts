// The owner's connection → connections of the roles that read and that write.
import type { DatabaseError } from 'pg'
import { Fault } from '../base/fault.ts'
import { deriveSecret } from '../base/secrets.ts'
import { type Connection, withCredentials } from './connection.ts'
import type { DataSchema } from './data-schema.ts'
import { quoteIdentifier, quoteLiteral } from './sql.ts'
import { withClient } from './with-client.ts'

/** The role that reads each data schema. */
export const readerGroups = { public: 'minaret_reader', sandbox: 'minaret_sandbox' } as const

/** The role that writes each data schema, a member of the one that reads it. Writers of the sandbox roll everything back. */
export const writerGroups = { public: 'minaret_writer', sandbox: 'minaret_sandbox_writer' } as const

export type ReaderGroup = (typeof readerGroups)[DataSchema]
export type WriterGroup = (typeof writerGroups)[DataSchema]

/** Named after the secret, so that two installations in one cluster never overwrite each other's password. */
const loginName = (group: string, secret: string): string =>
  `${group}_${deriveSecret(secret, 'role').toString('hex').slice(0, 8)}`

/** The names of all logins of an installation. */
export const loginNames = (secret: string): string[] =>
  [...Object.values(readerGroups), ...Object.values(writerGroups)].map(group => loginName(group, secret))

interface Login {
  readonly group: ReaderGroup | WriterGroup
  readonly schema: DataSchema
  readonly readOnly: boolean
}

const loginStatements = ({ group, schema, readOnly }: Login, name: string, password: string): string[] => [
  `do $do$ begin create role ${quoteIdentifier(name)}; exception when duplicate_object or unique_violation then null; end $do$`,
  `alter role ${quoteIdentifier(name)} login inherit password ${quoteLiteral(password)}`,
  `grant ${group} to ${quoteIdentifier(name)}`,
  ...(readOnly ? [`alter role ${quoteIdentifier(name)} set default_transaction_read_only = on`] : []),
  `alter role ${quoteIdentifier(name)} set search_path = ${schema}, extensions`,
]

/** Says what it was: only one of the reasons is a missing right, and what grants that `explainRefusal` adds. */
export const roleRefused = (cause: unknown): Fault => {
  const { message = String(cause), detail } = cause as Partial<DatabaseError>
  const reason = [message, detail].filter(text => text !== undefined && text !== '').join('. ')
  return new Fault({
    code: 'database_role_refused',
    status: 500,
    message: `The roles that read and write could not be created: ${reason.replace(/\.$/, '')}.`,
    cause,
  })
}

const createLogin = (owner: Connection, statements: readonly string[]): Promise<void> =>
  withClient({ ...owner, application_name: 'minaret roles' }, async client => {
    try {
      for (const statement of statements) await client.query(statement)
    } catch (cause) {
      throw roleRefused(cause)
    }
  })

/** Whether the login exists and has the rights of its group. */
const isMember = async (connection: Connection, group: string): Promise<boolean> => {
  try {
    return await withClient({ ...connection, application_name: 'minaret check' }, async client => {
      const { rows } = await client.query("select pg_has_role($1, 'usage') as member", [group])
      return rows[0].member
    })
  } catch {
    return false
  }
}

/** Tries the role first: if it exists, a start changes nothing in the cluster. */
const connectAs = async (owner: Connection, login: Login, secret: string): Promise<Connection> => {
  const name = loginName(login.group, secret)
  const password = deriveSecret(secret, `role:${name}`).toString('base64url')
  const connection = withCredentials(owner, { user: name, password })
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await isMember(connection, login.group)) return connection
    // Two processes altered one role at once: the loser gets an error, and finds it done at its next attempt.
    await createLogin(owner, loginStatements(login, name, password)).catch(error => {
      if (attempt === 4) throw error
    })
  }
  return connection
}

export const readerConnection = (owner: Connection, group: ReaderGroup, secret: string): Promise<Connection> =>
  connectAs(owner, { group, schema: group === readerGroups.public ? 'public' : 'sandbox', readOnly: true }, secret)

export const writerConnection = (owner: Connection, group: WriterGroup, secret: string): Promise<Connection> =>
  connectAs(owner, { group, schema: group === writerGroups.public ? 'public' : 'sandbox', readOnly: false }, secret)
