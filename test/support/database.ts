// One cluster per run, one migrated template, one database per test file: real PostgreSQL, nothing shared.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Connection } from '../../src/db/connection.ts'

/** scripts/test.mjs starts the cluster and passes its address here. */
export const adminConnection = (): Connection => {
  const text = process.env.MINARET_TEST_CLUSTER
  if (text === undefined) throw new Error('Run tests with: npm test, or node scripts/test.mjs FILE …')
  return JSON.parse(text) as Connection
}

export const TEMPLATE = 'minaret_template'

export const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(adminConnection())
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export interface TestDatabase {
  readonly connection: Connection
  readonly url: string
  drop(): Promise<void>
}

export const urlOf = ({ host, port, user, password, database }: Connection): string =>
  `postgres://${user}:${encodeURIComponent(String(password))}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`

export const createDatabase = async (template: string): Promise<TestDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(client => client.query(`create database ${name} template ${template} strategy file_copy`))
  const connection = { ...adminConnection(), database: name }
  return {
    connection,
    url: urlOf(connection),
    drop: async () => void (await asAdmin(client => client.query(`drop database if exists ${name} with (force)`))),
  }
}

/** A separate database, copied from the template: migrated, without rows. */
export const createTestDatabase = (): Promise<TestDatabase> => createDatabase(TEMPLATE)

/** Empty, without even our tables. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase('template1')
