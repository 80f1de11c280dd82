// Keys to sort by → `order by`, the cursor of a row, and the condition that a row comes after a cursor.
import { createHash } from 'node:crypto'
import { quoteLiteral } from '../../db/sql.ts'
import type { Source } from '../plan/input.ts'
import type { Order } from '../plan/plan.ts'
import { compileExpression, type Row } from './compile-expression.ts'
import { parameter, type Writer } from './writer.ts'

/** PostgreSQL's own rule for nulls is left unsaid. */
export const directionOf = ({ direction, nulls }: Pick<Order, 'direction' | 'nulls'>): string => {
  const usual = (direction === 'asc') === (nulls === 'last')
  return `${direction}${usual ? '' : ` nulls ${nulls}`}`
}

export const compileOrder = (writer: Writer, order: readonly Order[], row: Row): string =>
  order.length === 0
    ? ''
    : ` order by ${order.map(one => `${compileExpression(writer, one.expression, row)} ${directionOf(one)}`).join(', ')}`

const describe = (order: readonly Order[]): unknown =>
  order.map(({ expression, direction, nulls }) => [
    JSON.stringify(expression, (key, value) =>
      key === 'table' ? value.name : value instanceof Map ? undefined : value,
    ),
    direction,
    nulls,
  ])

/** A cursor made for one order must not be used with another. */
const fingerprint = (order: readonly Order[]): string =>
  createHash('sha256')
    .update(JSON.stringify(describe(order)))
    .digest('base64url')
    .slice(0, 8)

/** Base64url of a JSON array: the order's fingerprint, and the row's values of its keys, each as text that reads back the same. */
export const compileCursor = (writer: Writer, order: readonly Order[], row: Row): string => {
  const keys = order.map(one => `(${compileExpression(writer, one.expression, row)})::text`)
  const array = `json_build_array(${[quoteLiteral(fingerprint(order)), ...keys].join(', ')})`
  return `translate(encode(convert_to(${array}::text, 'UTF8'), 'base64'), E'+/=\\n', '-_')`
}

interface Key extends Pick<Order, 'direction' | 'nulls' | 'notNull'> {
  readonly own: string
  readonly given: string
}

const comesAfter = ({ own, given, direction, nulls, notNull }: Key): string => {
  const beyond = `${own} ${direction === 'asc' ? '>' : '<'} ${given}`
  if (notNull) return beyond
  return nulls === 'last'
    ? `(${beyond} or (${own} is null and ${given} is not null))`
    : `(${beyond} or (${own} is not null and ${given} is null))`
}

const isEqual = ({ own, given, notNull }: Key): string => `${own} ${notNull ? '=' : 'is not distinct from'} ${given}`

const afterAny = ([key, ...rest]: readonly Key[]): string => {
  if (key === undefined) return 'false'
  return rest.length === 0 ? comesAfter(key) : `(${comesAfter(key)} or (${isEqual(key)} and ${afterAny(rest)}))`
}

/** Where all keys run the same way and none is null, one comparison of rows lets an index find the page. */
const afterAll = (keys: readonly Key[]): string => {
  const [first] = keys
  const plain = keys.every(({ notNull, direction }) => notNull && direction === first?.direction)
  if (!plain || first === undefined) return afterAny(keys)
  const list = (side: 'own' | 'given'): string => keys.map(key => key[side]).join(', ')
  return `(${list('own')}) ${first.direction === 'asc' ? '>' : '<'} (${list('given')})`
}

export const compileAfter = (writer: Writer, cursor: Source, order: readonly Order[], row: Row): string =>
  afterAll(
    order.map(({ expression, type, direction, nulls, notNull }, index) => ({
      direction,
      nulls,
      notNull,
      own: compileExpression(writer, expression, row),
      given: parameter(
        writer,
        { kind: 'cursor', cursor, order: fingerprint(order), index, count: order.length },
        type.sql,
      ),
    })),
  )
