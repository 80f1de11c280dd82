// Random valid queries, each answered by the service and by a plain evaluation of the same rows in memory. A difference is
// shrunk to the smallest query that shows it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { holds, isOftenEnough } from '../../support/holds.ts'
import { difference } from './difference.ts'
import { evaluate } from './evaluate.ts'
import { parseExact, type Value } from './exact-json.ts'
import { queriesOf } from './generate.ts'
import type { Query } from './query.ts'
import { usePrepared } from './use-prepared.ts'
import { writeQuery } from './write-query.ts'

describe('random valid queries', () => {
  const ready = usePrepared()

  test('the schema offers every table, column and relationship of the database', () => {
    const { source } = ready()
    for (const table of source.data.structure.values()) {
      const offer = source.offers.get(table.name)
      if (table.key.length === 0) continue
      assert.ok(offer, `${table.name} is missing`)
      assert.deepEqual([...offer.columns].sort(), [...table.columns.keys()].sort())
      assert.deepEqual([...offer.objects, ...offer.arrays].sort(), [...table.relations.keys()].sort())
    }
  })

  test('get the same response as from a plain evaluation of the same rows', async t => {
    const { source, schema, client } = ready()
    const outcomes = { same: 0, rows: 0, tooCostly: 0 }
    const check = async (query: Query): Promise<void> => {
      const { text, body } = writeQuery(query, schema)
      const answer = await client.send(body)
      const given = parseExact(answer.text) as { data?: Value; errors?: Value }
      if (answer.text.includes('"too-costly"')) {
        outcomes.tooCostly += 1
        return
      }
      assert.equal(given.errors, undefined, `${text}\n${body}\n${answer.text.slice(0, 2000)}`)
      const found = difference(evaluate(source.data, query), given.data)
      assert.equal(found, undefined, `${found}\n${text}\n${body}`)
      outcomes.same += 1
      outcomes.rows += Number(answer.text.length > 60)
    }
    const tried = await holds(fc.asyncProperty(queriesOf(source), check), { runs: 500 })
    t.diagnostic(JSON.stringify(outcomes))
    assert.ok(isOftenEnough(outcomes.same, tried, 0.9), `${outcomes.tooCostly} of ${tried} queries were too costly`)
    assert.ok(isOftenEnough(outcomes.rows, tried, 0.3), `only ${outcomes.rows} of ${tried} responses had rows`)
  })
})
