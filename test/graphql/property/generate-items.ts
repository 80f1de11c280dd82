// What a table offers → random selections: columns, related rows, lists and aggregates, in fragments and under directives.
import fc from 'fast-check'
import { countCall, operationCalls } from './generate-conditions.ts'
import { type Page, rangeOf } from './generate-ranges.ts'
import { later, maybe, once, reachable, type Source, targetOf } from './generate-source.ts'
import type { Offer } from './offers.ts'
import type { Directive, Item, List, Totals } from './query.ts'

const directive: fc.Arbitrary<Directive | undefined> = fc.oneof(
  { weight: 9, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constantFrom('include' as const, 'skip' as const),
      condition: fc.boolean(),
      asVariable: fc.boolean(),
    }),
  },
)

const aliased = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })

const columnItem = (offer: Offer): fc.Arbitrary<Item> =>
  fc
    .record({
      directive,
      aliased,
      kind: fc.constant('column' as const),
      column: fc.constantFrom(...offer.columns),
      path: maybe(fc.constantFrom('$.dhuhr', '$.a.b', 'a', '$.missing')),
    })
    .map(item => (offer.table.columns.get(item.column)?.type.kind === 'json' ? item : { ...item, path: undefined }))

export const itemsOf = (source: Source, offer: Offer, depth: number): fc.Arbitrary<Item[]> =>
  fc.array(itemOf(source, offer, depth), { minLength: 1, maxLength: depth <= 0 ? 4 : 3 })

const itemOf = (source: Source, offer: Offer, depth: number): fc.Arbitrary<Item> =>
  once(source, `item ${offer.table.name} ${depth}`, () => buildItem(source, offer, depth))

const buildItem = (source: Source, offer: Offer, depth: number): fc.Arbitrary<Item> => {
  const leaves = [
    { weight: 12, arbitrary: columnItem(offer) },
    { weight: 1, arbitrary: fc.record({ directive, aliased, kind: fc.constant('typename' as const) }) },
  ]
  if (depth <= 0) return fc.oneof(...leaves)
  const fragment = fc.record({
    directive,
    aliased: fc.constant(false),
    kind: fc.constant('fragment' as const),
    named: fc.boolean(),
    items: later(() => itemsOf(source, offer, depth - 1)),
  })
  const object = (relation: string) =>
    fc.record({
      directive,
      aliased,
      kind: fc.constant('object' as const),
      relation: fc.constant(relation),
      items: itemsOf(source, targetOf(source, offer, relation), depth - 1),
    })
  const array = (relation: string) =>
    fc.record({
      directive,
      aliased,
      kind: fc.constant('array' as const),
      relation: fc.constant(relation),
      list: listOf(source, targetOf(source, offer, relation), depth - 1, { most: 4, always: true }),
    })
  const totals = (relation: string) =>
    fc.record({
      directive,
      aliased,
      kind: fc.constant('totals' as const),
      relation: fc.constant(relation),
      totals: totalsOf(source, targetOf(source, offer, relation), { most: 5, always: false }),
    })
  const objects = reachable(source, offer, offer.objects)
  const arrays = reachable(source, offer, offer.arrays)
  const impersonal = arrays.filter(name => !targetOf(source, offer, name).table.personal)
  return fc.oneof(
    ...leaves,
    { weight: 1, arbitrary: fragment },
    ...(objects.length === 0 ? [] : [{ weight: 2, arbitrary: fc.constantFrom(...objects).chain(object) }]),
    ...(arrays.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...arrays).chain(array) }]),
    ...(impersonal.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...impersonal).chain(totals) }]),
  )
}

export const listOf = (source: Source, offer: Offer, depth: number, page: Page): fc.Arbitrary<List> =>
  fc.tuple(rangeOf(source, offer, page), itemsOf(source, offer, depth)).map(([range, items]) => ({ ...range, items }))

export const totalsOf = (source: Source, offer: Offer, page: Page): fc.Arbitrary<Totals> => {
  const call = fc.oneof(countCall(offer), ...operationCalls(offer, undefined))
  const groups = offer.hasGroups ? fc.subarray([...offer.distinct], { maxLength: 2 }) : fc.constant([])
  return fc
    .record({
      range: rangeOf(source, offer, page),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      nodes: fc.oneof(fc.constant([]), itemsOf(source, offer, 0)),
      groupBy: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: groups }),
    })
    .map(({ range, ...rest }) => ({ ...range, ...rest }))
}
