// What the API offers → random valid queries, built of independent choices so that failures shrink well.
import fc from 'fast-check'
import type { Value } from './exact-json.ts'
import { itemsOf, listOf, totalsOf } from './generate-items.ts'
import { once, type Source } from './generate-source.ts'
import type { Offer } from './offers.ts'
import type { List, Query, Root } from './query.ts'

const keyOf = (source: Source, { table }: Offer): fc.Arbitrary<Record<string, Value>> => {
  const rows = source.data.rows(table.name)
  const missing = { id: '00000000-0000-0000-0000-000000000000' }
  const known = rows.slice(0, 20).map(row => Object.fromEntries(table.key.map(name => [name, row[name] ?? null])))
  return fc.constantFrom<Record<string, Value>>(
    ...known,
    ...(table.columns.get('id')?.type.kind === 'uuid' && table.key.length === 1 ? [missing] : []),
  )
}

const rootsOf = (source: Source, offer: Offer): fc.Arbitrary<Root> => {
  const deep = listOf(source, offer, 3, { most: 10, always: true })
  const flat = listOf(source, offer, 0, { most: 100, always: false })
  const root = (list: List): Root => ({ kind: 'list', list })
  const byKey = offer.hasByKey && source.data.rows(offer.table.name).length > 0
  return fc.oneof(
    { weight: 4, arbitrary: deep.map(root) },
    { weight: 3, arbitrary: flat.map(root) },
    ...(offer.table.personal
      ? []
      : [
          {
            weight: 2,
            arbitrary: totalsOf(source, offer, { most: 100, always: false }).map(
              (totals): Root => ({ kind: 'totals', totals }),
            ),
          },
        ]),
    ...(byKey
      ? [
          {
            weight: 1,
            arbitrary: fc
              .tuple(keyOf(source, offer), itemsOf(source, offer, 2))
              .map(([key, items]): Root => ({ kind: 'one', table: offer.table.name, key, items })),
          },
        ]
      : []),
  )
}

export const queriesOf = (source: Source): fc.Arbitrary<Query> =>
  fc.record({
    roots: fc.array(
      fc
        .constantFrom(...source.offers.values())
        .chain(offer => once(source, `root ${offer.table.name}`, () => rootsOf(source, offer))),
      { minLength: 1, maxLength: 2 },
    ),
    values: fc.constantFrom('text' as const, 'variables' as const),
  })
