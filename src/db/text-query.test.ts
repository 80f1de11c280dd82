import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase, type TestDatabase } from '../../test/support/database.ts'
import { readText, type TextStatement } from './text-query.ts'

let database: TestDatabase
let client: pg.Client

before(async () => {
  database = await createEmptyDatabase()
  client = new pg.Client({ ...database.connection, pipeline: true })
  await client.connect()
})

after(async () => {
  await client.end()
  await database.drop()
})

const statement = (changes: Partial<TextStatement> = {}): TextStatement => ({
  text: `select coalesce(current_setting('test.who', true), '') || $1::text`,
  name: 'who',
  values: ['!'],
  settings: undefined,
  ...changes,
})

const as = (who: string): Partial<TextStatement> => ({ settings: [['test.who', who]] })

test('settings hold for the statement they are sent with, and for none beside or behind it', async () => {
  const asked = [statement(as('amina')), statement(), statement(as('omar')), statement(), statement(as('amina'))]
  const answers = await Promise.all(asked.map(one => readText(client, one)))
  assert.deepEqual(answers, ['amina!', '!', 'omar!', '!', 'amina!'])
})

test('a statement that fails takes its settings with it, and those behind it are answered', async () => {
  const broken = { text: 'select (1 / $1::int)::text', name: 'broken', values: ['0'] }
  const outcomes = await Promise.allSettled([
    readText(client, statement({ ...as('amina'), ...broken })),
    readText(client, statement()),
    readText(client, statement({ ...broken, values: ['1'] })),
  ])
  assert.equal(outcomes[0].status === 'rejected' && outcomes[0].reason.code, '22012')
  assert.deepEqual(
    outcomes.slice(1).map(outcome => outcome.status === 'fulfilled' && outcome.value),
    ['!', '1'],
  )
})

test('a statement that cannot be parsed is refused each time, under its name or under none', async () => {
  for (const name of ['nonsense', undefined, 'nonsense'])
    await assert.rejects(readText(client, statement({ ...as('omar'), name, text: 'select nonsense', values: [] })), {
      code: /42703|26000/,
    })
  assert.equal(await readText(client, statement({ name: undefined })), '!')
})

test('a lost connection rejects what was under way', async () => {
  const doomed = new pg.Client({ ...database.connection, pipeline: true })
  doomed.on('error', () => undefined)
  await doomed.connect()
  // Awaited from the start: it may be rejected before the answer to the termination has arrived.
  const rejected = assert.rejects(
    readText(doomed, statement({ name: undefined, text: `select pg_sleep(30)::text || $1` })),
  )
  const { processID } = doomed as unknown as { processID: number }
  await readText(
    client,
    statement({ name: undefined, text: 'select pg_terminate_backend($1::int)::text', values: [String(processID)] }),
  )
  await rejected
})
