// The migrations of this version against those that have run in the database.
import { missingMigrations } from '../../db/missing-migrations.ts'
import { ok, warning } from './finding.ts'
import type { Check } from './subject.ts'

export const checkMigrations: Check = {
  name: 'migrations',
  look: async ({ client }) => {
    const { pending, unknown } = await missingMigrations(client)
    const findings = [
      ...(pending.length === 0
        ? []
        : [
            warning(
              'migrations',
              `${pending.length} migrations have not run, from ${pending[0]} on.`,
              'Run bin/minaret migrate, or start the service, which does the same.',
            ),
          ]),
      ...(unknown.length === 0
        ? []
        : [
            warning(
              'migrations',
              `The database has ${unknown.length} migrations of a later version, ${unknown.at(-1)} for one.`,
              'Update Minaret here to the version that runs elsewhere.',
            ),
          ]),
    ]
    return findings.length > 0 ? findings : [ok('migrations', 'All migrations have run.')]
  },
}
