// While thousands of masjids are inserted, indexes of parts of words collect what is new and take it in at once, instead of a word at a
// time: half of the work. Searches read what waits as well, so it stays small; afterwards nothing waits any more.
import type { Database, Queryable } from '../../db/database.ts'
import { identifier, type Sql, sql } from '../../db/sql.ts'

interface WordIndex {
  readonly name: string
  readonly waits: boolean
}

const wordIndexes = (database: Queryable): Promise<WordIndex[]> =>
  database.query<WordIndex>(sql`
    select class.relname as name, coalesce('fastupdate=on' = any (class.reloptions), false) as waits
    from pg_index index
    join pg_class class on class.oid = index.indexrelid
    join pg_opclass operators on operators.oid = index.indclass[0]
    where index.indrelid = 'public.up_masjids'::regclass and operators.opcname = 'gin_trgm_ops'`)

/** An index that somebody else is altering is left as it is: that is only slower. */
const alter = (database: Database, change: Sql): Promise<unknown> =>
  database
    .transaction(async transaction => {
      await transaction.run(sql`set local lock_timeout = '2s'`)
      await transaction.run(change)
    })
    .catch(() => undefined)

/** A megabyte of each: a search reads it in a few milliseconds. */
export const letWordsWait = async (database: Database): Promise<void> => {
  for (const { name } of await wordIndexes(database))
    await alter(
      database,
      sql`alter index ${identifier('public', name)} set (fastupdate = on, gin_pending_list_limit = 1024)`,
    )
}

/** Also after an import that was killed. */
export const takeWordsIn = async (database: Database): Promise<void> => {
  for (const { name, waits } of await wordIndexes(database)) {
    if (!waits) continue
    await alter(database, sql`alter index ${identifier('public', name)} set (fastupdate = off)`)
    await database.query(sql`select gin_clean_pending_list(${`public.${name}`}::regclass)`)
  }
}
