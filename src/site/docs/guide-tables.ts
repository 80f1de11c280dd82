// Scopes, operators and tools, as the code has them → tables of the guides, in their language.
import type { Language } from '../../accounts/languages.ts'
import { type ScopeDescription, scopeDescriptions } from '../../base/scope-table.ts'
import { operatorGroups } from '../../catalog/operators.ts'
import { createTools } from '../../mcp/tools.ts'
import { textsFor } from '../texts/texts.ts'
import { docsTexts } from './texts.ts'

export type TableHead = readonly [what: string, words: string]

export const tableOf = (head: TableHead, rows: readonly TableHead[]): string => {
  const line = (cells: TableHead): string => `| ${cells.join(' | ')} |`
  return ['', line(head), '|---|---|', ...rows.map(line), ''].join('\n')
}

const code = (name: string): string => `\`${name}\``

const tablesIn = ({ tables }: ScopeDescription): string =>
  tables === undefined ? '' : `: ${tables.split(', ').map(code).join(' ')}`

export const scopesTable = (language: Language): string =>
  tableOf(
    docsTexts[language].scopesTable,
    scopeDescriptions.map(scope => [
      code(scope.name),
      `${textsFor(language).scopes[scope.name].title}${tablesIn(scope)}`,
    ]),
  )

/** Every column has the first of them. */
export const operatorsTable = (language: Language): string => {
  const { head, groups } = docsTexts[language].operatorsTable
  return tableOf(
    head,
    Object.entries(operatorGroups).map(([name, operators]) => [
      groups[name as keyof typeof groups],
      [...new Set(operators.map(operator => operator.name)), ...(name === 'every' ? ['_is_null'] : [])]
        .map(code)
        .join(' '),
    ]),
  )
}

const toolNames = [
  ...createTools(() => {
    throw new Error('Only the names of tools are asked for here.')
  }).keys(),
]

export const toolsTable = (language: Language): string => {
  const { head, tools } = docsTexts[language].toolsTable
  const words: Readonly<Record<string, string>> = tools
  return tableOf(
    head,
    toolNames.map(name => [code(name), words[name] ?? '']),
  )
}
