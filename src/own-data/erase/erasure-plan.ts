// The rules of all tables → what a person is told before the account is erased: what goes, what loses its name, what stays and why.
import { fullName, hasSubjects, type OwnColumn, type OwnTable } from '../own-table.ts'
import { orderTables } from './order-tables.ts'

export interface PlanLine {
  readonly table: string
  readonly reason: string | undefined
}

export interface ErasurePlan {
  readonly deleted: readonly PlanLine[]
  readonly anonymised: readonly PlanLine[]
  readonly kept: readonly PlanLine[]
}

const ruled = ({ columns }: OwnTable, ...actions: readonly string[]): OwnColumn[] =>
  columns.filter(({ isRuled, rule }) => isRuled && actions.includes(rule?.action ?? ''))

const isDeleted = ({ rule }: OwnTable): boolean => rule?.action === 'delete'

/** An identifier stays with its row, for the same reason. */
const keptLines = (table: OwnTable): PlanLine[] => {
  const values = ruled(table, 'retain').filter(({ points }) => !points)
  const reasons = [table.rule, ...values.map(({ rule }) => rule)]
    .filter(rule => rule?.action === 'retain')
    .map(rule => rule?.reason)
  return [...new Set(reasons)].map(reason => ({ table: fullName(table), reason }))
}

export const planErasure = (tables: readonly OwnTable[]): ErasurePlan => {
  const own = orderTables(tables.filter(hasSubjects)).toReversed()
  const staying = own.filter(table => !isDeleted(table))
  return {
    deleted: own.filter(isDeleted).map(table => ({ table: fullName(table), reason: table.rule?.reason })),
    anonymised: staying
      .filter(table => ruled(table, 'delete', 'anonymise').length > 0)
      .map(table => ({ table: fullName(table), reason: undefined })),
    kept: staying.flatMap(keptLines),
  }
}
