// A connection field → a page of rows, and what is asked about it. https://relay.dev/graphql/connections.htm
import type { SelectionSetNode } from 'graphql'
import { limits } from '../limits/limits.ts'
import { collectFields } from './collect-fields.ts'
import type { CollectedField } from './collected-field.ts'
import { connectionType, edgeType, PAGE_INFO_TYPE } from './connection-names.ts'
import { below, type Place, type PlanContext, refuse, spend } from './context.ts'
import { expectedRows } from './estimate-rows.ts'
import { inputSource } from './input.ts'
import type { Connection, ConnectionField, EdgeField, Field, From, PageInfoField, Range } from './plan.ts'
import { type Arguments, readArguments, readLimit, readRange, withColumns } from './read-arguments.ts'

interface Asked {
  readonly from: From
  readonly field: CollectedField
  /** Plans what is asked of each row. */
  readonly planFields: (
    context: PlanContext,
    place: Place,
    from: From,
    selections: readonly SelectionSetNode[],
  ) => Field[]
}

interface Page {
  readonly size: number
  /** Cut from the end. */
  readonly backward: boolean
}

const readPage = (place: Place, given: Arguments): Page => {
  const first = readLimit(place, given.get('first'), { name: 'first' })
  const last = readLimit(place, given.get('last'), { name: 'last' })
  if (first !== undefined && last !== undefined)
    throw refuse(place, 'validation-failed', 'first and last cannot be used together. Ask for one of them.')
  return { size: first ?? last ?? limits.page, backward: last !== undefined }
}

const PAGE_END: Readonly<Record<string, 'first' | 'last'>> = { startCursor: 'first', endCursor: 'last' }

/**
 * In the direction of the page the next row is looked for. In the other, a cursor tells: the row that it names is there, and
 * the specification asks for no more than what can be told without reading further.
 */
const planPageInfoField = ({ key, name }: CollectedField, { backward }: Page, given: Arguments): PageInfoField => {
  if (name === '__typename') return { key, kind: 'typename', name: PAGE_INFO_TYPE }
  const edge = PAGE_END[name]
  if (edge !== undefined) return { key, kind: 'edge-cursor', edge }
  const isAhead = (name === 'hasNextPage') !== backward
  return isAhead ? { key, kind: 'more' } : { key, kind: 'known', value: given.has(backward ? 'before' : 'after') }
}

const planEdgeField = (
  context: PlanContext,
  place: Place,
  { range, planFields }: Pick<Asked, 'planFields'> & { readonly range: Range },
  { key, name, selections }: CollectedField,
): EdgeField => {
  if (name === '__typename') return { key, kind: 'typename', name: edgeType(range.from.table) }
  if (name === 'cursor') return { key, kind: 'cursor' }
  return { key, kind: 'node', rows: { ...range, fields: planFields(context, place, range.from, selections) } }
}

/** A cursor names exactly one row, and either end of the page may be asked for its own: so the key always breaks ties. */
const readConnectionRange = (
  context: PlanContext,
  place: Place,
  { from }: Asked,
  { given, backward }: { readonly given: Arguments; readonly backward: boolean },
): Range => {
  const range = readRange(context, place, from, given)
  const before = given.get('before')
  return {
    ...range,
    order: withColumns(context, range.order, from.table.primaryKey ?? []),
    before: before === undefined ? undefined : inputSource(before),
    backward,
  }
}

const looksAhead = (infos: ReadonlyMap<string, readonly PageInfoField[]>): boolean =>
  [...infos.values()].some(fields => fields.some(({ kind }) => kind === 'more'))

const planPageInfos = (
  context: PlanContext,
  parts: readonly CollectedField[],
  page: Page,
  given: Arguments,
): ReadonlyMap<string, readonly PageInfoField[]> =>
  new Map(
    parts
      .filter(({ name }) => name === 'pageInfo')
      .map(({ key, selections }) => [
        key,
        collectFields(context, selections).map(field => planPageInfoField(field, page, given)),
      ]),
  )

/** The row that tells of a next page is read like the others, and counts like them. */
export const planConnection = (context: PlanContext, place: Place, asked: Asked): Connection => {
  const { from, field, planFields } = asked
  const given = readArguments(context, place)
  const page = readPage(place, given)
  const parts = collectFields(context, field.selections)
  const infos = planPageInfos(context, parts, page, given)
  const limit = page.size + (looksAhead(infos) ? 1 : 0)
  const range = { ...readConnectionRange(context, place, asked, { given, backward: page.backward }), limit }
  const times = place.times * expectedRows(context, place, from, limit)
  spend(context, place, times)
  const fields = parts.map((part): ConnectionField => {
    const { key, name, selections } = part
    if (name === '__typename') return { key, kind: 'typename', name: connectionType(from.table) }
    const info = infos.get(key)
    if (info !== undefined) return { key, kind: 'page-info', fields: info }
    const at = below(place, part, times)
    const edge = collectFields(context, selections).map(one =>
      planEdgeField(context, below(at, one, times), { range, planFields }, one),
    )
    return { key, kind: 'edges', fields: edge }
  })
  return { range, size: page.size, fields }
}
