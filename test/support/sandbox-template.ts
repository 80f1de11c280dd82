// A template with a full sandbox: created by the first test of a run that needs it, copied by all others.
import { createLogger } from '../../src/base/log.ts'
import { openDatabase } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { renewFixtures } from '../../src/sandbox/renew-fixtures.ts'
import { adminConnection, asAdmin, TEMPLATE } from './database.ts'

const SANDBOX_TEMPLATE = 'minaret_template_sandbox'
const UNFINISHED = 'minaret_template_sandbox_unfinished'
const TEMPLATE_LOCK = 6_206_150

const fill = async (): Promise<void> => {
  const connection = { ...adminConnection(), database: UNFINISHED }
  const database = openDatabase(connection, { poolSize: 1, log: createLogger('silent') })
  try {
    await renewFixtures({ database, now: new Date() })
    await database.run(sql`analyze`)
  } finally {
    await database.close()
  }
}

/** It takes seconds, so it is done once per run, however many test files need it at the same time. */
export const sandboxTemplate = (): Promise<string> =>
  asAdmin(async client => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const found = await client.query('select from pg_database where datname = $1', [SANDBOX_TEMPLATE])
    if (found.rowCount === 0) {
      await client.query(`drop database if exists ${UNFINISHED} with (force)`)
      await client.query(`create database ${UNFINISHED} template ${TEMPLATE} strategy file_copy`)
      await fill()
      await client.query(`alter database ${UNFINISHED} rename to ${SANDBOX_TEMPLATE}`)
    }
    return SANDBOX_TEMPLATE
  })
