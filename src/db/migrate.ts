// Migration files → a migrated database. Each runs once, however many processes start at the same time.
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import { type Connection, types } from './connection.ts'
import { fillCountryNames } from './country-names/fill-country-names.ts'
import { ensureGroups, ensureUsage } from './ensure-groups.ts'
import { isRightMissing, withRefusalsExplained } from './explain-refusal.ts'
import { holdMigrationLock } from './migration-lock.ts'
import { type MigrationTarget, migrationTargets } from './migration-targets.ts'
import { missingMigrations } from './missing-migrations.ts'
import { jobPatience } from './patience.ts'
import { withClient } from './with-client.ts'
import { fillZoneOffsets } from './zone-offsets/fill-zone-offsets.ts'

const migrateTarget = async (
  client: pg.Client,
  target: MigrationTarget,
  log: Logger,
): Promise<readonly { readonly name: string }[]> => {
  const errors: string[] = []
  try {
    return await runner({
      dbClient: client,
      dir: fileURLToPath(new URL(`../../migrations/${target.folder}`, import.meta.url)),
      direction: 'up',
      schema: [target.schema, 'extensions'],
      migrationsSchema: 'minaret',
      migrationsTable: target.table,
      createMigrationsSchema: true,
      noLock: true,
      // Branches number their migrations side by side: a database may have run a later number before an earlier one existed.
      checkOrder: false,
      logger: {
        debug: text => log.debug(text),
        info: text => log.debug(text),
        warn: text => log.warn(text),
        error: text => errors.push(text),
      },
    })
  } catch (error) {
    // With the whole text of the statement, which nobody needs to grant a right.
    if (!isRightMissing(error)) for (const text of errors) log.error(text)
    throw error
  }
}

const migrateWith = async (client: pg.Client, log: Logger): Promise<string[]> => {
  await holdMigrationLock(client, log)
  await ensureGroups(client)
  const done: string[] = []
  // Nearly every start finds nothing to do, and the runner would read and parse every file to find that out.
  const { pending } = await missingMigrations(client)
  for (const target of pending.length === 0 ? [] : migrationTargets) {
    for (const { name } of await migrateTarget(client, target, log)) done.push(`${target.schema}/${name}`)
  }
  await ensureUsage(client)
  await fillZoneOffsets(client, log)
  await fillCountryNames(client)
  return done
}

/** Creates missing roles, runs the missing migrations, brings the offsets of time zones and the names of countries up to date, and returns the migrations' names. */
export const migrate = (connection: Connection, log: Logger): Promise<string[]> => {
  const patience = { application_name: 'minaret migrate', connectionTimeoutMillis: jobPatience.connectMs }
  return withRefusalsExplained(connection, () =>
    withClient({ ...connection, types, ...patience }, client => migrateWith(client, log)),
  )
}
