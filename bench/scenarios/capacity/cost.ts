// What one of something costs → the table of such costs in docs/capacity.md.
import { placeOf } from '../../report/part-of-page.ts'
import { markdownTable } from '../../report/table.ts'

export const COSTS = placeOf('capacity')

export interface Cost {
  readonly title: string
  /** CPU time of the service and of PostgreSQL, in milliseconds. */
  readonly serviceMs: number
  readonly databaseMs: number
}

/** Two digits that mean something: more would pretend a precision that the figure does not have. */
const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en-US')

export const costTable = (costs: readonly Cost[]): string =>
  markdownTable(
    ['request', 'service', 'PostgreSQL', 'per core and second'],
    costs.map(({ title, serviceMs, databaseMs }) => [
      title,
      serviceMs.toFixed(3),
      databaseMs.toFixed(3),
      rounded(1000 / (serviceMs + databaseMs)),
    ]),
  )
