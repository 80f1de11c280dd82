// Any list in any order, paged with `after`, returns every row once and in that order, even with nulls and ties.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { holds, isOftenEnough } from '../../support/holds.ts'
import { evaluatePage } from './evaluate.ts'
import { parseExact, type Value, writeExact } from './exact-json.ts'
import { rangeOf } from './generate-ranges.ts'
import type { Source } from './generate-source.ts'
import type { Range } from './query.ts'
import { type Prepared, usePrepared } from './use-prepared.ts'
import { writePage } from './write-query.ts'

interface Walk {
  readonly range: Range
  readonly key: readonly string[]
  readonly pages: number
  /** order_by omits the key: the service must break ties by itself. */
  readonly bare: boolean
}

const walksOf = (source: Source): fc.Arbitrary<Walk> =>
  fc.constantFrom(...source.offers.values()).chain(offer =>
    fc.record({
      range: rangeOf(source, offer, { most: 100, always: false }).map(range => ({
        ...range,
        order: range.distinctOn.length === 0 ? range.order : range.order.slice(range.distinctOn.length),
        distinctOn: [],
        offset: undefined,
      })),
      key: fc.constant(offer.table.key),
      pages: fc.integer({ min: 1, max: 6 }),
      bare: fc.boolean(),
    }),
  )

type Keys = Readonly<Record<string, Value>>

/** Every row, page by page. */
const walk = async ({ client, schema }: Prepared, range: Range, key: readonly string[]): Promise<Keys[]> => {
  const found: Keys[] = []
  let cursor: string | undefined
  for (;;) {
    const { text, body } = writePage(schema, range, key, cursor)
    const answer = await client.send(body)
    const { data, errors } = parseExact(answer.text) as unknown as { data?: { rows: Keys[] }; errors?: Value }
    assert.equal(errors, undefined, `${text}\n${body}\n${answer.text}`)
    const rows = data?.rows ?? []
    found.push(...rows)
    if (rows.length < (range.limit ?? 0) || rows.length === 0) return found
    assert.ok(found.length < 2000, `${text}: it never ends`)
    cursor = String(rows.at(-1)?._cursor)
  }
}

describe('page by page', () => {
  const ready = usePrepared()

  test('every row comes once, in the order asked for', async t => {
    const prepared = ready()
    const { data } = prepared.source
    let walks = 0
    const check = async ({ range, key, pages, bare }: Walk): Promise<void> => {
      const all = evaluatePage(data, { ...range, limit: 100_000 })
      const limit = Math.min(100, Math.max(1, Math.ceil(all.length / pages)))
      const order = bare ? range.order.slice(0, -key.length) : range.order
      const rows = await walk(prepared, { ...range, order, limit }, key)
      const shown = (row: Keys): string => key.map(name => writeExact(row[name] ?? null)).join()
      assert.deepEqual(
        rows.map(shown),
        all.map(shown),
        writePage(prepared.schema, { ...range, order, limit }, key, undefined).body,
      )
      walks += Number(all.length > limit)
    }
    const tried = await holds(fc.asyncProperty(walksOf(prepared.source), check), { runs: 150 })
    t.diagnostic(`${walks} of ${tried} lists had several pages`)
    assert.ok(isOftenEnough(walks, tried, 0.1), `only ${walks} of ${tried} lists had several pages`)
  })
})
