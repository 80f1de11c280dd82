import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openTextChannel, type TextChannel, type TextStatement } from './text-channel.ts'

let database: TestDatabase
let client: pg.Client
let channel: TextChannel

before(async () => {
  database = await createEmptyDatabase()
  client = new pg.Client({ ...database.connection })
  await client.connect()
  channel = openTextChannel(client)
})

after(async () => {
  await client.end()
  await database.drop()
})

const statement = (changes: Partial<TextStatement> = {}): TextStatement => ({
  text: `select coalesce(current_setting('test.who', true), '') || $1::text`,
  name: 'who',
  values: ['!'],
  none: 'no row',
  prepare: true,
  settings: undefined,
  ...changes,
})

const as = (who: string): Partial<TextStatement> => ({ settings: [['test.who', who]] })

const readText = (asked: TextStatement, over = channel): Promise<string> =>
  new Promise((resolve, reject) =>
    over.send(asked, (error, text) => (error === undefined ? resolve(text) : reject(error))),
  )

test('settings hold for the statement they are sent with, and for none beside or after it', async () => {
  const asked = [statement(as('amina')), statement(), statement(as('omar')), statement(), statement(as('amina'))]
  const answers = await Promise.all(asked.map(one => readText(one)))
  assert.deepEqual(answers, ['amina!', '!', 'omar!', '!', 'amina!'])
})

test('a statement that fails takes its settings with it, and those after it are answered', async () => {
  const broken = { text: 'select (1 / $1::int)::text', name: 'broken', values: ['0'] }
  const outcomes = await Promise.allSettled([
    readText(statement({ ...as('amina'), ...broken })),
    readText(statement()),
    readText(statement({ ...broken, values: ['1'] })),
  ])
  assert.equal(outcomes[0].status === 'rejected' && outcomes[0].reason.code, '22012')
  assert.deepEqual(
    outcomes.slice(1).map(outcome => outcome.status === 'fulfilled' && outcome.value),
    ['!', '1'],
  )
})

test('a statement that cannot be parsed is refused each time, named or unnamed', async () => {
  for (const prepare of [true, false, true])
    await assert.rejects(
      readText(statement({ ...as('omar'), name: 'nonsense', prepare, text: 'select nonsense', values: [] })),
      {
        code: '42703',
        severity: 'ERROR',
      },
    )
  assert.equal(await readText(statement({ prepare: false })), '!')
})

test('statements sent after one that cannot be parsed, under its name, fail with an unknown name', async () => {
  const asked = statement({ name: 'unparsable', text: 'select nonsense', values: [] })
  const outcomes = await Promise.allSettled([readText(asked), readText(asked)])
  assert.deepEqual(
    outcomes.map(outcome => outcome.status === 'rejected' && outcome.reason.code),
    ['42703', '26000'],
  )
  assert.equal(await readText({ ...asked, text: `select 'mended'` }), 'mended')
})

test('a name that the server has lost fails once as such, and is prepared again', async () => {
  assert.equal(await readText(statement()), '!')
  await readText(statement({ name: 'lose', text: `select 'x'`, values: [], prepare: false }))
  const deallocate = statement({ text: 'deallocate who', values: [], prepare: false })
  await readText(deallocate)
  await assert.rejects(readText(statement()), { code: '26000' })
  assert.equal(await readText(statement()), '!')
})

test('text of any length and any characters comes back unchanged', async () => {
  const texts = ['', 'صلاة الفجر', '🕌'.repeat(10_000), 'x'.repeat(300_000), 'é"\\\n']
  const echo = texts.map(text => statement({ name: 'echo', text: 'select $1::text', values: [text] }))
  assert.deepEqual(await Promise.all(echo.map(one => readText(one))), texts)
})

test('without a row, the result is the given default', async () => {
  const none = statement({ name: 'none', text: 'select $1::text where $1 = $2', values: ['a', 'b'] })
  const asked = [none, { ...none, values: ['a', 'a'] }, { ...none, ...as('amina') }, none]
  assert.deepEqual(await Promise.all(asked.map(one => readText(one))), ['no row', 'a', 'no row', 'no row'])
})

test('a null becomes JSON null, beside other values', async () => {
  const text = `select coalesce($1::text, 'none') || $2::text`
  assert.equal(await readText(statement({ name: 'nulls', text, values: [null, '.'] })), 'none.')
  assert.equal(await readText(statement({ name: 'null', text: 'select $1::text', values: [null] })), 'null')
})

test('more statements than a connection keeps prepared are all answered, repeatedly', async () => {
  const numbered = (number: number) =>
    statement({ name: `n${number}`, text: `select '${number} ' || $1::text`, values: ['x'] })
  for (let round = 0; round < 2; round += 1) {
    const numbers = Array.from({ length: 300 }, (_, number) => number)
    const answers = await Promise.all(numbers.map(number => readText(numbered(number))))
    assert.deepEqual(
      answers,
      numbers.map(number => `${number} x`),
    )
  }
  const kept = statement({ text: 'select count(*)::text from pg_prepared_statements', values: [], prepare: false })
  assert.ok(Number(await readText(kept)) <= 257, 'no more than the fixed number is kept, and this one without a name')
})

test('a result that is too long is refused; those beside it are answered', async () => {
  const long = { text: `select repeat($1, 20 * 1024 * 1024)`, name: 'long' }
  const outcomes = await Promise.allSettled([readText(statement()), readText(statement(long)), readText(statement())])
  assert.deepEqual(
    outcomes.map(one => (one.status === 'fulfilled' ? one.value : one.reason.code)),
    ['!', '54000', '!'],
  )
})

test('a lost connection fails the statements in progress', async () => {
  const doomed = new pg.Client({ ...database.connection })
  await doomed.connect()
  const lost = openTextChannel(doomed)
  doomed.on('error', error => lost.fail(error))
  // Awaited from the start: it may reject before the result of the termination arrives.
  const rejected = assert.rejects(
    readText(statement({ prepare: false, text: `select pg_sleep(30)::text || $1` }), lost),
    { code: '57P01' },
  )
  const { processID } = doomed as unknown as { processID: number }
  await readText(
    statement({ prepare: false, text: 'select pg_terminate_backend($1::int)::text', values: [String(processID)] }),
  )
  await rejected
})
