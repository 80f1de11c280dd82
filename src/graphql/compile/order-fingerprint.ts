// A list and its order → a short fingerprint that identifies them: a cursor of one list must not be used with another.
// From names only: a cursor survives a changed comment and a restored database, whose oids are new.
import { createHash } from 'node:crypto'
import type { Call, Expression, From, Join, Order, Range } from '../plan/plan.ts'

type Words = string | boolean | readonly Words[] | Join

const describeCall = (call: Call): Words =>
  call.kind === 'count'
    ? ['count', call.distinct, ...call.columns.map(({ column }) => column)]
    : [call.name, call.distinct, call.column.column]

const describeSource = (from: From): Words =>
  from.kind === 'function'
    ? [from.function, ...from.arguments.map(({ argument }) => argument.name)]
    : from.table.relation

const describe = (expression: Expression): Words => {
  switch (expression.kind) {
    case 'column':
      return ['column', expression.column.column]
    case 'computed':
      return ['computed', expression.field.function, ...expression.arguments.map(({ argument }) => argument.name)]
    case 'cast':
      return ['cast', describe(expression.expression)]
    case 'related':
      return ['related', describeSource(expression.from), expression.join, describe(expression.expression)]
    case 'total':
      return ['total', describeSource(expression.from), expression.join, describeCall(expression.call)]
  }
}

const describeKey = ({ expression, direction, nulls }: Order): Words => [describe(expression), direction, nulls]

export const fingerprintOf = ({ from, order }: Pick<Range, 'from' | 'order'>): string =>
  createHash('sha256')
    .update(JSON.stringify([from.table.relation, ...order.map(describeKey)]))
    .digest('base64url')
    .slice(0, 8)
