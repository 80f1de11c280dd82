// What a process knows of the structure is never older than the changes that it begins to follow.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { type ChangeChecker, createChangeChecker } from '../../src/db/changes/change-checker.ts'
import { rawSql } from '../../src/db/sql.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'

let minaret: TestMinaret
const run = (text: string): Promise<unknown> => minaret.service.database.run(rawSql(text))

before(async () => {
  minaret = await startTestMinaret()
})
after(() => minaret.stop())

/** A checker whose structure takes so long to read that something happens meanwhile, the first few times. */
const follow = async (
  meanwhile: readonly string[],
  use: (checker: ChangeChecker, told: () => number) => Promise<void>,
  position?: () => bigint,
): Promise<void> => {
  let told = 0
  const checker = createChangeChecker({
    connection: minaret.service.database.connection,
    log: createLogger('silent'),
    position,
    onStructure: async () => {
      const statement = meanwhile[told]
      told += 1
      if (statement !== undefined) await run(statement)
      return 7n
    },
  })
  try {
    await use(checker, () => told)
  } finally {
    await checker.close()
  }
}

const untilFollowed = (checker: ChangeChecker): Promise<void> =>
  within(60_000, 'changes are followed', async () => (await checker.check()) !== undefined)

test('a change of structure while the structure is read makes it be read again, before anything is kept', () =>
  follow(['create table up_late_1 (id int)', 'alter table up_late_1 add column word text'], async (checker, told) => {
    await untilFollowed(checker)
    assert.equal(told(), 3)
    const { epoch } = checker
    await run('create table up_late_2 (id int)')
    assert.equal(await checker.check(), undefined)
    await untilFollowed(checker)
    assert.equal(told(), 4)
    assert.notEqual(checker.epoch, epoch)
  }))

test('on a replica nothing is kept until it has had every change of structure that was read on the primary', () => {
  let reached = 5n
  return follow(
    [],
    async (checker, told) => {
      await within(60_000, 'the structure was read', () => told() === 1)
      for (let count = 0; count < 5; count += 1) assert.equal(await checker.check(), undefined)
      reached = 7n
      await untilFollowed(checker)
      assert.equal(told(), 1)
    },
    () => reached,
  )
})
