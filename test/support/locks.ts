// Locks of the test's own database: the cluster is shared, and tables of databases that were copied from one template have the same numbers.
import { sql } from '../../src/db/sql.ts'

/** A condition on pg_locks. */
export const inThisDatabase = sql`database = (select oid from pg_database where datname = current_database())`
