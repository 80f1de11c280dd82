// A server of a test's own, with the role that docs/production.md describes: it owns its database and may create roles, and is no superuser.
import { readFileSync } from 'node:fs'
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

const page = new URL('../../docs/production.md', import.meta.url)

/** As an operator copies them from docs/production.md. */
const ownerStatements = (password: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^create (?:role|database) .*;$/gm)].map(([statement]) =>
    statement.replace('$password', password),
  )

export const createPlainOwner = async ({ connection }: Pick<Cluster, 'connection'>): Promise<PlainOwner> => {
  await withClient(connection, async client => {
    for (const statement of ownerStatements('plain')) await client.query(statement)
  })
  const superuser = { ...connection, database: 'minaret_data' }
  const owner = { ...superuser, user: 'minaret_owner', password: 'plain' }
  return { connection: owner, url: urlOf(owner), superuser }
}
