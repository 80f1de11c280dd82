// Every way we could think of to keep the database busy with few requests.
import { randomBytes } from 'node:crypto'

export interface SlowRequests {
  /** What the attacker sends, a new one each time. */
  readonly body: (count: number) => unknown
  readonly method?: 'GET'
  /** After how many milliseconds the client closes the connection. */
  readonly leavesAfterMs?: number
}

/** An alias that has never been used, so that the statement is new. */
export const fresh = (): string => `a${randomBytes(6).toString('hex')}`

/** Takes PostgreSQL several microseconds per row, and matches none. */
const SLOW_PATTERN = '(a|b|c)+.*(d|e|f)+.*(0|1)+.*(2|3)+.*z'

const slowCount = (): string =>
  `${fresh()}: up_numbers_aggregate(where: {name: {_regex: "${SLOW_PATTERN}"}}) { aggregate { count } }`

const byPattern = (alias: string): string =>
  `query ($pattern: String!) { ${alias}: up_numbers(where: {name: {_regex: $pattern}}, limit: 1) { id } }`

const manyQueries = Array.from({ length: 40 }, () => byPattern(fresh()))

export const slowRequests = {
  'slow counts, each with its own alias': { body: () => ({ query: `{ ${slowCount()} }` }) },
  'slow counts by GET': { body: () => ({ query: `{ ${slowCount()} }` }), method: 'GET' },
  'a statement that is quick with one variable and slow with the next': {
    body: count => ({ query: byPattern('rows'), variables: { pattern: count % 4 === 0 ? SLOW_PATTERN : '^' } }),
  },
  'many statements that start out quick and then turn slow': {
    body: count => ({
      query: manyQueries[count % manyQueries.length],
      variables: { pattern: count % 200 > 160 ? SLOW_PATTERN : '^' },
    }),
  },
  'offsets that skip all rows': {
    body: () => ({
      query: 'query ($offset: Int!) { up_numbers(order_by: {name: asc}, offset: $offset, limit: 1) { id } }',
      variables: { offset: 200_000 + Math.floor(Math.random() * 1_000_000) },
    }),
  },
  'filters without an index': {
    body: () => ({
      query: `{ ${fresh()}: up_numbers_aggregate(where: {_or: [{name: {_ilike: "%a%b%c%d%z%"}}, {name: {_similar: "%(a|b)+(c|d)+z%"}}]}) { aggregate { count max { name } } nodes { name } } }`,
    }),
  },
  'batches of ten': { body: () => Array.from({ length: 10 }, () => ({ query: `{ ${slowCount()} }` })) },
  'clients that close their connection immediately': {
    body: () => ({ query: `{ ${slowCount()} }` }),
    leavesAfterMs: 20,
  },
  'a flood of quick statements, all of them new': {
    body: () => ({ query: `{ ${fresh()}: up_numbers(where: {id: {_lt: 20}}) { id name } }` }),
  },
  'statements that take slightly less than a trial': {
    body: () => ({
      query: `{ ${fresh()}: up_numbers_aggregate(where: {id: {_lt: 9000}, name: {_regex: "${SLOW_PATTERN}"}}) { aggregate { count } } }`,
    }),
  },
  /** Each in a transaction with settings. Not for the sandbox: its anonymous callers see no personal data. */
  'statements over tables with people': {
    body: () => ({ query: `{ ${slowCount()} ua_members(limit: 1) { id } }` }),
  },
} as const satisfies Record<string, SlowRequests>

export type SlowRequestsName = keyof typeof slowRequests
