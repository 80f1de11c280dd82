// A process's number → whether that process is connected: its session holds an advisory lock, which ends with the connection.
import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { type Sql, sql } from './sql.ts'

const MOST = 2 ** 31 - 1

/** Unique, for all that matters. */
export const processNumber = (): number => randomInt(1, MOST)

/** Shared: after a reconnection, the former session may still be there for a while. */
export const showPresence = async (client: pg.Client, number: number): Promise<void> => {
  await client.query('select pg_advisory_lock_shared($1, $2)', [advisoryLocks.presence, number])
}

/** A condition. @param number an expression of the statement, which is not null. */
export const isPresent = (number: Sql): Sql => sql`exists (
  select from pg_locks where locktype = 'advisory' and classid = ${advisoryLocks.presence}::bigint::oid
    and objid::bigint = ${number} and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database()))`
