// Tables → what is missing or contradictory in their rules of erasure, in words.
import { fullName, hasSubjects, type OwnColumn, type OwnTable } from './own-table.ts'
import { replacementFor } from './replacement.ts'

/** What people are called and reached by. `table_name` and the like are about the database. */
const personalName =
  /(^|_)(e?mail|phone|mobile|name|surname|address|postcode|picture|photo|avatar|agent|birth|birthday|gender|guest|donor|giver|recipient)(_|$)/
const technicalName = /^(table|column|schema|file)_name$/
const writtenType = /^(text|character|citext|date|inet|jsonb?)/

/**
 * A column is personal if it says whose row it is, stands in such a row, points to an account or a member, or has a name by
 * which people are called or reached.
 */
const isPersonal = (table: OwnTable, column: OwnColumn): boolean =>
  hasSubjects(table) ||
  column.points ||
  (personalName.test(column.name) && !technicalName.test(column.name) && writtenType.test(column.type))

const faultOf = (table: OwnTable, column: OwnColumn): string | undefined => {
  const { rule, isRuled, notNull } = column
  if (rule === undefined)
    return isPersonal(table, column) ? 'holds or points to personal data, and its comment has no @erase' : undefined
  if (!isRuled) return undefined
  if (rule.action === 'delete' && notNull && table.rule?.action !== 'delete')
    return 'cannot be empty: @erase anonymise or retain it'
  if (rule.action === 'anonymise' && replacementFor(table, column) === undefined)
    return `has the type ${column.type}, which cannot be anonymised`
  return undefined
}

const tableFault = ({ rule, columns, ...table }: OwnTable): string[] =>
  rule?.action === 'anonymise'
    ? [`${fullName(table)}: rows cannot be anonymised as a whole; say it of columns`]
    : rule?.action === 'delete' && columns.every(({ subjects }) => subjects.length === 0)
      ? [`${fullName(table)}: rows are to be deleted, and no column says with @subject whose they are`]
      : []

export const eraseFaults = (tables: readonly OwnTable[]): string[] =>
  tables.flatMap(table => [
    ...table.unreadable.map(name => `${name}: @erase is delete, anonymise, retain: reason or none: reason`),
    ...tableFault(table),
    ...table.columns.flatMap(column => {
      const fault = faultOf(table, column)
      return fault === undefined ? [] : [`${fullName(table)}.${column.name}: ${fault}`]
    }),
  ])
