// A template with a full sandbox: it takes seconds to fill, so all tests of a run copy the same one.
import { createLogger } from '../../src/base/log.ts'
import type { Connection } from '../../src/db/connection.ts'
import { openDatabase } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { renewFixtures } from '../../src/sandbox/renew-fixtures.ts'
import { TEMPLATE } from './database.ts'
import { keepStructure } from './keep-structure.ts'
import { makeTemplate } from './template.ts'

/**
 * A service that starts on a database fills its sandbox in the background, which takes seconds of CPU time. Tests that do
 * not read the sandbox tell it that this has been done today; one that is slow to stop may have done it.
 */
export const markSandboxFilled = `insert into minaret.sandbox_renewals (day) values ((now() at time zone 'UTC')::date) on conflict do nothing`

const fill = async (connection: Connection): Promise<void> => {
  const database = openDatabase(connection, { poolSize: 1, log: createLogger('silent') })
  try {
    await database.run(sql`delete from minaret.sandbox_renewals`)
    await renewFixtures({ database, now: new Date() })
    await database.run(sql`analyze`)
  } finally {
    await database.close()
  }
  await keepStructure(connection)
}

export const sandboxTemplate = (from: string = TEMPLATE): Promise<string> =>
  makeTemplate({ name: `${from}_sandbox`, from, fill })
