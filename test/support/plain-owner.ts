// A server of a test's own, with the role that operations.md describes: it owns its database and may create roles, and is no superuser.
import type { Connection } from '../../src/db/connection.ts'
import type { Cluster } from '../../src/db/embedded/cluster.ts'
import { withClient } from '../../src/db/with-client.ts'
import { urlOf } from './database.ts'

export interface PlainOwner {
  readonly connection: Connection
  readonly url: string
  /** Into the owner's database, as the server's administrator. */
  readonly superuser: Connection
}

/** As in docs/operations.md. */
export const ownerStatements = (password: string): readonly string[] => [
  `create role minaret_owner login createrole password '${password}'`,
  'create database minaret_data owner minaret_owner',
]

export const createPlainOwner = async ({ connection }: Pick<Cluster, 'connection'>): Promise<PlainOwner> => {
  await withClient(connection, async client => {
    for (const statement of ownerStatements('plain')) await client.query(statement)
  })
  const superuser = { ...connection, database: 'minaret_data' }
  const owner = { ...superuser, user: 'minaret_owner', password: 'plain' }
  return { connection: owner, url: urlOf(owner), superuser }
}
