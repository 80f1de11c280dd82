// Every rule that a function of the database refuses by has a name, by which pages and apps tell it from others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { raisingFunctions } from '../support/raised-rules.ts'
import { useDatabase } from './use-database.ts'

const database = useDatabase()

/** Errors that nobody is told in these words, by their code; those of the service itself are of class MN, and `Fault` words them. */
const untoldCodes: Readonly<Record<string, string>> = {
  MN004: 'an Idempotency-Key that is in use: the API has its own words',
  MN006: 'a response that is too long to keep: the API has its own words',
  MN007: 'the end of a dry run or a trial',
  MN008: 'a cursor that is too old: the API has a code for it',
  insufficient_privilege: 'a log that only grows; no request changes it',
}

/** By function: those of reading, of operators' annotations, and those that are told otherwise. */
const untoldFunctions: Readonly<Record<string, string>> = {
  'changes.position_of': 'reading',
  'minaret.annotate': 'a migration or an operator calls it',
  'minaret.rows_of_small_table': 'caught where it is raised',
  checked_place: 'reading',
  checked_search_place: 'reading',
  pc_times_at: 'never called: the service calculates its rows',
  public_history_condition: 'an annotation of an operator',
  refuse_writing: 'raised by the steps of a mutation: the API has its own words',
}

const isUntold = (name: string, statement: string): boolean => {
  const [, code = ''] = /errcode = '(\w+)'/.exec(statement) ?? []
  return name in untoldFunctions || code in untoldCodes || (name.startsWith('minaret.') && code.startsWith('MN'))
}

test('every error that a function raises names its rule', async () => {
  const functions = await raisingFunctions(database().owner)
  const unnamed = functions.flatMap(({ name, raises }) =>
    raises.filter(text => !/constraint = /.test(text) && !isUntold(name, text)).map(text => `${name}: ${text}`),
  )
  assert.ok(functions.length > 30, `${functions.length} functions`)
  assert.deepEqual(unnamed, [])
})

test('what is excepted is there', async () => {
  const functions = await raisingFunctions(database().owner)
  const statements = functions.flatMap(({ raises }) => raises).join('\n')
  assert.deepEqual(
    Object.keys(untoldFunctions).filter(name => !functions.some(raising => raising.name === name)),
    [],
  )
  assert.deepEqual(
    Object.keys(untoldCodes).filter(code => !statements.includes(`'${code}'`)),
    [],
  )
})

test('a rule is refused with its name, its sentence, and its values as JSON', async () => {
  const { owner } = database()
  const refuse = (values: object) =>
    owner.run(
      sql`select public.refuse('up_halls_rest', 'Only {rest} of {all} is left in {x, y}.', ${JSON.stringify(values)}::jsonb)`,
    )
  await assert.rejects(refuse({ rest: 5, all: '7.50' }), {
    message: 'Only 5 of 7.50 is left in {x, y}.',
    code: '23514',
    constraint: 'up_halls_rest',
    detail: '{"all": "7.50", "rest": 5}',
  })
  await assert.rejects(owner.run(sql`select public.refuse('needs_x', 'It needs x.', '{}', 'MN003')`), {
    message: 'It needs x.',
    code: 'MN003',
    constraint: 'needs_x',
    detail: undefined,
  })
})
