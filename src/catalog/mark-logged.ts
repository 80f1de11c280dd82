// The catalogue's text, and which tables are logged now → the text as reading it again would give it.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** The beginning of a relation in the text: oid, name, kind, then numbers and booleans up to whether it is logged. */
const head =
  /("oid" : (\d+), "name" : "(?:[^"\\]|\\.)*", "kind" : "\w"(?:, "\w+" : (?:true|false|\d+))*?, "logged" : )(?:true|false)/g

/** Creating the triggers of the change log changes nothing else in the catalogue. */
export const markLogged = async (database: Queryable, catalogue: string): Promise<string> => {
  const rows = await database.query<{ oid: string }>(
    sql`select logged::text as oid from changes.logged_tables() logged`,
  )
  const logged = new Set(rows.map(({ oid }) => oid))
  return catalogue.replace(head, (_, start: string, oid: string) => `${start}${logged.has(oid)}`)
}
