// Sort keys → `order by`, the cursor of a row, and the condition that a row comes after a cursor.
import { operatorSign } from '../../catalog/operators.ts'
import { quoteLiteral } from '../../db/sql.ts'
import type { Source } from '../plan/input.ts'
import type { Order, Range } from '../plan/plan.ts'
import { compileExpression } from './compile-expression.ts'
import { opaqueText } from './opaque-text.ts'
import { fingerprintOf } from './order-fingerprint.ts'
import { castFirst, type Row } from './row.ts'
import { parameter, type Writer } from './writer.ts'

/** PostgreSQL's default for nulls is omitted. */
export const directionOf = ({ direction, nulls }: Pick<Order, 'direction' | 'nulls'>): string => {
  const usual = (direction === 'asc') === (nulls === 'last')
  return `${direction}${usual ? '' : ` nulls ${nulls}`}`
}

export const compileOrder = (writer: Writer, order: readonly Order[], row: Row): string =>
  order.length === 0
    ? ''
    : ` order by ${order.map(one => `${compileExpression(writer, one.expression, row)} ${directionOf(one)}`).join(', ')}`

const reversed = (order: readonly Order[]): Order[] =>
  order.map(one => ({
    ...one,
    direction: one.direction === 'asc' ? 'desc' : 'asc',
    nulls: one.nulls === 'last' ? 'first' : 'last',
  }))

/** The order in which the rows of a page are read. */
export const orderOfPage = ({ order, backward }: Range): readonly Order[] =>
  backward === true ? reversed(order) : order

/** The order's fingerprint, and the row's values of its keys, each as text that round-trips. */
export const compileCursor = (writer: Writer, range: Range, row: Row): string => {
  const keys = range.order.map(one => `(${compileExpression(writer, one.expression, row)})::text`)
  return opaqueText([quoteLiteral(fingerprintOf(range)), ...keys])
}

interface Key extends Pick<Order, 'type' | 'direction' | 'nulls' | 'notNull'> {
  readonly own: string
  readonly given: string
}

const comesAfter = ({ own, given, type, direction, nulls, notNull }: Key): string => {
  const beyond = `${own} ${operatorSign(direction === 'asc' ? type.above : type.below, type)} ${given}`
  if (notNull) return beyond
  return nulls === 'last'
    ? `(${beyond} or (${own} is null and ${given} is not null))`
    : `(${beyond} or (${own} is not null and ${given} is null))`
}

const isEqual = ({ own, given, type, notNull }: Key): string => {
  if (type.operators === undefined) return `${own} ${notNull ? '=' : 'is not distinct from'} ${given}`
  const equal = `${own} ${operatorSign('=', type)} ${given}`
  return notNull ? equal : `(${equal} or (${own} is null and ${given} is null))`
}

const afterAny = ([key, ...rest]: readonly Key[]): string => {
  if (key === undefined) return 'false'
  return rest.length === 0 ? comesAfter(key) : `(${comesAfter(key)} or (${isEqual(key)} and ${afterAny(rest)}))`
}

/** If all keys have one direction, none is null and the operators are PostgreSQL's, one row comparison lets an index find the page. */
const afterAll = (keys: readonly Key[]): string => {
  const [first] = keys
  const plain = keys.every(
    ({ type, notNull, direction }) => notNull && direction === first?.direction && type.operators === undefined,
  )
  if (!plain || first === undefined) return afterAny(keys)
  const list = (side: 'own' | 'given'): string => keys.map(key => key[side]).join(', ')
  return `(${list('own')}) ${first.direction === 'asc' ? '>' : '<'} (${list('given')})`
}

interface Cursor {
  readonly source: Source
  /** Of the order that the cursor was made for. */
  readonly fingerprint: string
}

const compileBeyond = (writer: Writer, cursor: Cursor, order: readonly Order[], row: Row): string =>
  afterAll(
    order.map(({ expression, type, direction, nulls, notNull }, index) => ({
      type,
      direction,
      nulls,
      notNull,
      own: castFirst(compileExpression(writer, expression, row), type),
      given: parameter(
        writer,
        { kind: 'cursor', cursor: cursor.source, order: cursor.fingerprint, index, count: order.length },
        type.sql,
      ),
    })),
  )

export const compileAfter = (writer: Writer, source: Source, range: Range, row: Row): string =>
  compileBeyond(writer, { source, fingerprint: fingerprintOf(range) }, range.order, row)

/** What comes after a row in the opposite order comes before it. */
export const compileBefore = (writer: Writer, source: Source, range: Range, row: Row): string =>
  compileBeyond(writer, { source, fingerprint: fingerprintOf(range) }, reversed(range.order), row)
