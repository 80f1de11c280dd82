// What one of something costs, and the table of such costs in docs/capacity.md.
import { markdownTable } from '../../report/table.ts'

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

const BEGIN = '<!-- written by: npm run bench -- --only capacity -->'
const END = '<!-- end -->'

/** @throws if the page has no place for it. */
export const withTable = (page: string, text: string): string => {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`The page has no "${BEGIN}" and "${END}".`)
  return `${page.slice(0, from)}${BEGIN}\n${text}\n${page.slice(to)}`
}
