// What a table offers → random conditions on its rows, and random aggregates over them.
import fc from 'fast-check'
import type { Value } from './exact-json.ts'
import { later, maybe, once, reachable, type Source, targetOf } from './generate-source.ts'
import { operandsOf, totalOperands } from './generate-values.ts'
import type { Offer } from './offers.ts'
import type { Call, Condition } from './query.ts'
import { callType } from './totals.ts'

const columnConditions = (source: Source, offer: Offer): fc.Arbitrary<Condition>[] =>
  [...offer.comparisons].flatMap(([name, operators]) => {
    const column = offer.table.columns.get(name)
    if (column === undefined || operators.length === 0) return []
    const operandOf = operandsOf(source.data, offer.table.name, column)
    const comparison = fc.oneof(
      ...operators.map(operator => operandOf(operator).map(operand => ({ operator, operand }))),
    )
    const comparisons = fc.oneof(
      { weight: 9, arbitrary: fc.tuple(comparison) },
      { weight: 1, arbitrary: fc.tuple(comparison, comparison) },
    )
    return [comparisons.map((all): Condition => ({ kind: 'column', column: name, comparisons: all }))]
  })

export const countCall = (offer: Offer): fc.Arbitrary<Call> =>
  fc.record({
    name: fc.constant('count' as const),
    columns: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.subarray([...offer.distinct], { maxLength: 2 }) },
    ),
    distinct: fc.boolean(),
  })

export const operationCalls = (offer: Offer, names: readonly string[] | undefined): fc.Arbitrary<Call>[] =>
  [...offer.totals]
    .filter(([name]) => names === undefined || names.includes(name))
    .flatMap(([name, columns]) =>
      columns
        .filter(column => name === 'min' || name === 'max' || !isInterval(offer, column))
        .map(column => fc.constant<Call>({ name, column })),
    )

const isInterval = ({ table }: Offer, column: string): boolean => table.columns.get(column)?.type.kind === 'interval'

const totalConditions = (source: Source, offer: Offer, relation: string, depth: number): fc.Arbitrary<Condition> => {
  const target = targetOf(source, offer, relation)
  const condition = (
    calls: fc.Arbitrary<Call>,
    comparisonOf: (call: Call) => fc.Arbitrary<{ operator: string; operand: Value }>,
  ) =>
    calls.chain(call =>
      fc.record({
        kind: fc.constant('total' as const),
        relation: fc.constant(relation),
        call: fc.constant(call),
        comparison: comparisonOf(call),
        filter: maybe(conditionOf(source, target, depth - 1)),
      }),
    )
  const operator = fc.constantFrom('_eq', '_neq', '_gt', '_gte', '_lt', '_lte')
  const counts = condition(countCall(target), () => fc.record({ operator, operand: totalOperands('integer') }))
  const numeric = operationCalls(target, ['sum', 'min', 'max'])
  if (numeric.length === 0) return counts
  const others = condition(fc.oneof(...numeric), call => {
    const type = callType(call, target.table)
    const column = call.name === 'count' ? undefined : target.table.columns.get(call.column)
    if (type.kind === 'numeric' || column === undefined)
      return fc.record({ operator, operand: totalOperands('numeric') })
    return fc.record({ operator, operand: operandsOf(source.data, target.table.name, column)('_eq') })
  })
  return fc.oneof({ weight: 2, arbitrary: counts }, { weight: 1, arbitrary: others })
}

export const conditionOf = (source: Source, offer: Offer, depth: number): fc.Arbitrary<Condition> =>
  once(source, `condition ${offer.table.name} ${depth}`, () => buildCondition(source, offer, depth))

const buildCondition = (source: Source, offer: Offer, depth: number): fc.Arbitrary<Condition> => {
  const columns = once(source, `columns ${offer.table.name}`, () => fc.oneof(...columnConditions(source, offer)))
  if (depth <= 0) return columns
  const inner = later(() => conditionOf(source, offer, depth - 1))
  const parts = fc.array(inner, { maxLength: 3 })
  const relations = reachable(source, offer, [...offer.objects, ...offer.arrays])
  const totals = reachable(source, offer, offer.arrays).filter(name => !targetOf(source, offer, name).table.personal)
  const related = (relation: string): fc.Arbitrary<Condition> =>
    later(() =>
      fc
        .oneof(
          conditionOf(source, targetOf(source, offer, relation), depth - 1),
          fc.constant<Condition>({ kind: 'all', parts: [] }),
        )
        .map(condition => ({ kind: 'related' as const, relation, condition })),
    )
  return fc.oneof(
    { weight: 6, arbitrary: columns },
    { weight: 1, arbitrary: parts.map((all): Condition => ({ kind: 'and', parts: all })) },
    { weight: 2, arbitrary: parts.map((all): Condition => ({ kind: 'or', parts: all })) },
    { weight: 2, arbitrary: inner.map((part): Condition => ({ kind: 'not', part })) },
    { weight: 2, arbitrary: parts.map((all): Condition => ({ kind: 'all', parts: all })) },
    ...(relations.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...relations).chain(related) }]),
    ...(totals.length === 0
      ? []
      : [
          {
            weight: 2,
            arbitrary: fc.constantFrom(...totals).chain(name => totalConditions(source, offer, name, depth)),
          },
        ]),
  )
}
