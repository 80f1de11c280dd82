// The owner's connection → connections of the read-only roles.
import { Fault } from '../base/fault.ts'
import { deriveSecret } from '../base/secrets.ts'
import { canConnect } from './can-connect.ts'
import type { Connection } from './connection.ts'
import { quoteIdentifier, quoteLiteral } from './sql.ts'
import { withClient } from './with-client.ts'

/** The role that reads each data schema. */
export const readerGroups = { public: 'minaret_reader', sandbox: 'minaret_sandbox' } as const

export type ReaderGroup = (typeof readerGroups)[keyof typeof readerGroups]

/** Named after the secret, so that two installations in one cluster never overwrite each other's password. */
const loginName = (group: ReaderGroup, secret: string): string =>
  `${group}_${deriveSecret(secret, 'role').toString('hex').slice(0, 8)}`

const schemaOf: Readonly<Record<ReaderGroup, string>> = { minaret_reader: 'public', minaret_sandbox: 'sandbox' }

const roleStatements = (group: ReaderGroup, name: string, password: string): string[] => [
  `do $do$ begin create role ${quoteIdentifier(name)}; exception when duplicate_object or unique_violation then null; end $do$`,
  `alter role ${quoteIdentifier(name)} login password ${quoteLiteral(password)}`,
  `grant ${group} to ${quoteIdentifier(name)}`,
  `alter role ${quoteIdentifier(name)} set default_transaction_read_only = on`,
  `alter role ${quoteIdentifier(name)} set search_path = ${schemaOf[group]}, extensions`,
]

export const withCredentials = (owner: Connection, user: string, password: string): Connection => {
  if (owner.connectionString === undefined) return { ...owner, user, password }
  const url = new URL(owner.connectionString)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return { connectionString: url.href }
}

const refused = (statements: readonly string[], cause: unknown): Fault =>
  new Fault({
    code: 'database_role_refused',
    status: 500,
    message:
      `The database refused to create the reader role. Grant CREATEROLE to the owner, or have an administrator run: ${statements.join('; ')}`.replace(
        /password '[^']*'/,
        "password '…'",
      ),
    cause,
  })

const createLogin = (owner: Connection, statements: readonly string[]): Promise<void> =>
  withClient({ ...owner, application_name: 'minaret roles' }, async client => {
    try {
      for (const statement of statements) await client.query(statement)
    } catch (cause) {
      throw refused(statements, cause)
    }
  })

/** Tries the role first: if it exists, a start changes nothing in the cluster. */
export const readerConnection = async (owner: Connection, group: ReaderGroup, secret: string): Promise<Connection> => {
  const name = loginName(group, secret)
  const password = deriveSecret(secret, `role:${name}`).toString('base64url')
  const connection = withCredentials(owner, name, password)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await canConnect(connection)) return connection
    // Two processes altered one role at once: the loser gets an error, and finds it done at its next attempt.
    await createLogin(owner, roleStatements(group, name, password)).catch(error => {
      if (attempt === 4) throw error
    })
  }
  return connection
}
