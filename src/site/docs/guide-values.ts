// This installation's configuration → the values in the guides: its URLs, limits and quotas.
import { limits } from '../../graphql/limits/limits.ts'
import type { GuideValues } from './guides.ts'

export interface GuideFacts {
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly statementTimeoutMs: number
  /** Undefined if rows are not counted. */
  readonly rowsPerMinute: number | undefined
  readonly sandboxRequestsPerMinute: number
}

const limitRows: readonly (readonly [what: string, most: number])[] = [
  ['bytes of the body', limits.bodyBytes],
  ['bytes of the answer', limits.answerBytes],
  ['tokens in the document', limits.tokens],
  ['fields within fields', limits.depth],
  ['fields, with fragments expanded', limits.fields],
  ['aliases', limits.aliases],
  ['fields at the root', limits.rootFields],
  ['rows that its limits allow (cost)', limits.cost],
  ['operations in a batch', limits.batch],
  ['rows in a list', limits.page],
]

const limitsTable = ['| what | most |', '|---|---|', ...limitRows.map(([what, most]) => `| ${what} | ${most} |`)].join(
  '\n',
)

const rowsSentence = (rowsPerMinute: number | undefined): string =>
  rowsPerMinute === undefined
    ? 'of this installation does not count rows; others may.'
    : `of this installation answers up to ${rowsPerMinute} rows a minute.`

export const guideValues = (facts: GuideFacts): GuideValues => ({
  base_url: facts.baseUrl,
  sandbox_url: facts.sandboxUrl,
  limits_table: `\n${limitsTable}\n`,
  rows_per_minute: rowsSentence(facts.rowsPerMinute),
  statement_timeout: String(facts.statementTimeoutMs),
  sandbox_per_minute: String(facts.sandboxRequestsPerMinute),
})
