// This installation's configuration → the values in the guides: its URLs, limits and quotas, in words of the guide's language.
import type { Language } from '../../accounts/languages.ts'
import { limits } from '../../graphql/limits/limits.ts'
import { operatorsTable, scopesTable, tableOf, toolsTable } from './guide-tables.ts'
import type { GuideValues } from './guides.ts'
import { docsTexts } from './texts.ts'

export interface GuideFacts {
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly statementTimeoutMs: number
  /** Undefined if rows are not counted. */
  readonly rowsPerMinute: number | undefined
  readonly sandboxRequestsPerMinute: number
}

const limitsTable = (language: Language): string => {
  const { head, limits: names } = docsTexts[language].limitsTable
  return tableOf(
    head,
    Object.entries(names).map(([name, words]) => [words, String(limits[name as keyof typeof names])]),
  )
}

const rowsSentence = (language: Language, rowsPerMinute: number | undefined): string => {
  const { rowsCounted, rowsUncounted } = docsTexts[language].limitsTable
  return rowsPerMinute === undefined ? rowsUncounted : rowsCounted.replace('{rows}', String(rowsPerMinute))
}

export const guideValues = (facts: GuideFacts, language: Language): GuideValues => ({
  base_url: facts.baseUrl,
  sandbox_url: facts.sandboxUrl,
  limits_table: limitsTable(language),
  scopes_table: scopesTable(language),
  operators_table: operatorsTable(language),
  tools_table: toolsTable(language),
  rows_per_minute: rowsSentence(language, facts.rowsPerMinute),
  statement_timeout: String(facts.statementTimeoutMs),
  sandbox_per_minute: String(facts.sandboxRequestsPerMinute),
})
