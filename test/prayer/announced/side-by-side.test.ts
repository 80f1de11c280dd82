// Two transactions that change the same masjids at the same time, whatever they change; and what a restore without triggers, or without
// some of the rows, leaves behind.
import { before, test } from 'node:test'
import fc from 'fast-check'
import { rawSql } from '../../../src/db/sql.ts'
import { adoptTimes } from '../../../src/prayer/announced/keep-times.ts'
import { holds } from '../../support/holds.ts'
import { insertRule } from '../../support/iqamah.ts'
import { useDatabase } from '../../support/open-database.ts'
import { addSources, insertKept, keepAll, readersGetTheDefinition, rowsAreTheDefinition } from './use-kept-times.ts'
import { attempt, writes } from './writes.ts'

const database = useDatabase()
let masjids: string[] = []

before(async () => {
  masjids = await insertKept(database(), [{}, { timezone: 'Africa/Casablanca', latitude: 33.57, longitude: -7.59 }])
  await addSources(database(), masjids)
})

/** Of a masjid that was deleted, or lost its rules, there is nothing to compare. */
const revive = async (): Promise<void> => {
  await database().run(rawSql('update up_masjids set deleted_at = null where deleted_at is not null'))
  for (const masjid of masjids)
    await insertRule(database(), masjid, { prayer: 'asr', rule: 'offset', offset_minutes: 10 })
  await keepAll(database())
}

/** Truncating keeps everybody out until the end. */
const sharing = writes.filter(all => all.every(([statement]) => !statement.startsWith('truncate')))
const isolation = fc.constantFrom('read committed', 'read committed', 'repeatable read')

test('two transactions side by side: rows and readers agree with the definition', async () => {
  await holds(
    fc.asyncProperty(sharing, writes, isolation, fc.boolean(), async (one, two, level, inTurn) => {
      await revive()
      await database().transaction(async first => {
        for (const each of one) await attempt(first, masjids, each)
        const second = database().transaction(async transaction => {
          await transaction.run(rawSql(`set transaction isolation level ${level}`))
          // what the other has locked stays locked until this one has ended
          await transaction.run(rawSql(`set local lock_timeout = '20ms'`))
          for (const each of two) await attempt(transaction, masjids, each)
          await readersGetTheDefinition(transaction)
          await transaction.run(rawSql('set local lock_timeout = 0'))
        })
        // an error of serialization says that nothing changed
        await second.catch(error => {
          if (error.code !== '40001') throw error
        })
        if (inTurn) await readersGetTheDefinition(database())
      })
      await readersGetTheDefinition(database())
      await keepAll(database())
      await rowsAreTheDefinition(database())
    }),
    { runs: 25 },
  )
})

const lost = fc.subarray(['announced_times', 'announced_reach, announced_times', 'outdated_times'], { minLength: 1 })

test('after a restore without triggers or without derived rows, the job adopts what it finds', async () => {
  await holds(
    fc.asyncProperty(lost, writes, async (tables, changes) => {
      await revive()
      await database().transaction(async restore => {
        await restore.run(rawSql(`set local session_replication_role = replica`))
        for (const table of tables.join().split(',')) await restore.run(rawSql(`delete from ${table}`))
      })
      await adoptTimes(database(), 'public')
      await readersGetTheDefinition(database())
      await database().transaction(async transaction => {
        for (const each of changes) await attempt(transaction, masjids, each)
      })
      await readersGetTheDefinition(database())
      await keepAll(database())
      await rowsAreTheDefinition(database())
    }),
    { runs: 15 },
  )
})
