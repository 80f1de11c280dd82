// What a table offers → random ranges of rows: filtered, sorted, distinct, paged; always with one correct order.
import fc from 'fast-check'
import { conditionOf, operationCalls } from './generate-conditions.ts'
import { maybe, once, reachable, type Source, targetOf } from './generate-source.ts'
import type { Offer } from './offers.ts'
import type { Call, Direction, OrderKey, Range } from './query.ts'

const directions: readonly Direction[] = [
  'asc',
  'desc',
  'asc_nulls_first',
  'asc_nulls_last',
  'desc_nulls_first',
  'desc_nulls_last',
]

const orderKeyOf = (source: Source, offer: Offer, depth: number): fc.Arbitrary<OrderKey> =>
  once(source, `order ${offer.table.name} ${depth}`, () => buildOrderKey(source, offer, depth))

const buildOrderKey = (source: Source, offer: Offer, depth: number): fc.Arbitrary<OrderKey> => {
  const direction = fc.constantFrom(...directions)
  const column = fc.record({
    path: fc.constant([]),
    by: fc.constantFrom(...offer.sortable).map(name => ({ kind: 'column' as const, column: name })),
    direction,
  })
  const totals = reachable(source, offer, offer.arrays).filter(name => !targetOf(source, offer, name).table.personal)
  const total = (relation: string): fc.Arbitrary<OrderKey> => {
    const target = targetOf(source, offer, relation)
    const plainCount = fc.constant<Call>({ name: 'count', columns: [], distinct: false })
    // sums and averages of floats depend on the order of addition, so equal ones may differ in the last digit
    const calls = fc.oneof(plainCount, ...operationCalls(target, ['min', 'max']))
    return fc.record({
      path: fc.constant([]),
      by: calls.map(call => ({ kind: 'total' as const, relation, call })),
      direction,
    })
  }
  const objects = depth <= 0 ? [] : reachable(source, offer, offer.objects)
  const nested = (relation: string): fc.Arbitrary<OrderKey> =>
    orderKeyOf(source, targetOf(source, offer, relation), depth - 1).map(key => ({
      ...key,
      path: [relation, ...key.path],
    }))
  return fc.oneof(
    { weight: 4, arbitrary: column },
    ...(totals.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...totals).chain(total) }]),
    ...(objects.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...objects).chain(nested) }]),
  )
}

/** The key comes last, so that there is one correct order. */
const completeOrder = (
  offer: Offer,
  distinctOn: readonly string[],
  order: readonly OrderKey[],
  leading: readonly Direction[],
): OrderKey[] => [
  ...distinctOn.map(
    (column, index): OrderKey => ({ path: [], by: { kind: 'column', column }, direction: leading[index] ?? 'asc' }),
  ),
  ...order,
  ...offer.table.key.map((column): OrderKey => ({ path: [], by: { kind: 'column', column }, direction: 'asc' })),
]

export interface Page {
  readonly most: number
  readonly always: boolean
}

export const rangeOf = (source: Source, offer: Offer, page: Page): fc.Arbitrary<Range> =>
  fc
    .record({
      where: maybe(conditionOf(source, offer, 2), 3),
      order: fc.array(orderKeyOf(source, offer, 2), { maxLength: 2 }),
      distinctOn: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.shuffledSubarray([...offer.distinct], { minLength: 1, maxLength: 2 }) },
      ),
      leading: fc.array(fc.constantFrom(...directions), { maxLength: 2 }),
      limit: page.always ? fc.integer({ min: 0, max: page.most }) : maybe(fc.integer({ min: 0, max: page.most })),
      offset: maybe(fc.integer({ min: 0, max: 12 })),
      whereAsVariable: fc.boolean(),
    })
    .map(({ leading, order, ...rest }) => ({
      ...rest,
      table: offer.table.name,
      order: completeOrder(offer, rest.distinctOn, order, leading),
    }))
