// The live database → every table of ours with its rules of erasure.
import type { Queryable } from '../db/database.ts'
import { type OwnTable, toOwnTable } from './own-table.ts'
import { type RawOwnTable, rawTables } from './raw-tables.ts'

export const readOwnTables = async (queryable: Queryable): Promise<OwnTable[]> =>
  (await queryable.query<RawOwnTable>(rawTables)).map(toOwnTable)
