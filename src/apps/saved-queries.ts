// Queries that the team of an app keeps in the explorer. Every statement asks for the membership itself.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import { isPlainLine } from '../base/plain-text.ts'
import { isUuidInAnyCase } from '../base/uuid.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { explainDatabaseFault, registrationRefused } from './faults.ts'

export interface SavedQueryName {
  readonly id: string
  readonly name: string
  readonly savedBy: string
  readonly savedAt: Date
}

export interface SavedQuery {
  readonly name: string
  readonly query: string
  /** As typed: JSON, or nothing. */
  readonly variables: string
}

/** Somebody, and the app whose queries they want. */
export interface OfTeam {
  readonly appId: string
  readonly userId: string
}

/** Who changes what the team keeps. */
export interface TeamActor extends OfTeam {
  readonly actor: Actor
}

const LONGEST = { name: 100, query: 20_000, variables: 10_000 } as const

export const listSavedQueries = (database: Queryable, { appId, userId }: OfTeam): Promise<SavedQueryName[]> =>
  database.query<SavedQueryName>(sql`
    select saved.id, saved.name, users.name as "savedBy", saved.saved_at as "savedAt"
    from minaret.saved_queries as saved join minaret.users on users.id = saved.saved_by
    where saved.app_id = ${appId} and minaret.is_on_team(saved.app_id, ${userId}) order by lower(saved.name), saved.id limit 100`)

export const findSavedQuery = async (
  database: Queryable,
  { appId, userId }: OfTeam,
  id: string,
): Promise<SavedQuery | undefined> => {
  if (!isUuidInAnyCase(id)) return undefined
  return database.first<SavedQuery>(sql`
    select name, query, variables from minaret.saved_queries
    where id = ${id} and app_id = ${appId} and minaret.is_on_team(app_id, ${userId})`)
}

const checkLengths = (saved: SavedQuery): void => {
  if (saved.name === '' || saved.query.trim() === '') throw registrationRefused('A saved query has a name and a text.')
  if (!isPlainLine(saved.name))
    throw registrationRefused('The name of a saved query is one line, without characters that are not seen.')
  for (const part of ['name', 'query', 'variables'] as const)
    if (saved[part].length > LONGEST[part])
      throw registrationRefused(`The ${part} of a saved query has at most ${LONGEST[part]} characters.`)
}

/** Replaces the one of the same name. @throws {Fault} `registration_refused`, `state_refused`, `forbidden` */
export const saveQuery = async (
  database: Database,
  { appId, userId, actor }: TeamActor,
  { name, query, variables }: SavedQuery,
): Promise<void> => {
  checkLengths({ name, query, variables })
  await database
    .transaction(async transaction => {
      await transaction.run(sql`
        insert into minaret.saved_queries (app_id, name, query, variables, saved_by)
        values (${appId}, ${name}, ${query}, ${variables}, ${userId})
        on conflict (app_id, name) do update
          set query = excluded.query, variables = excluded.variables, saved_by = excluded.saved_by, saved_at = now()`)
      await recordAudit(transaction, { action: 'app.query_saved', actor, appId, detail: { name } })
    })
    .catch(explainDatabaseFault)
}

/** @returns whether there was such a query. */
export const deleteSavedQuery = async (
  database: Database,
  { appId, userId, actor }: TeamActor,
  id: string,
): Promise<boolean> => {
  if (!isUuidInAnyCase(id)) return false
  return database.transaction(async transaction => {
    const deleted = await transaction.first<{ name: string }>(sql`
      delete from minaret.saved_queries
      where id = ${id} and app_id = ${appId} and minaret.may_develop(app_id, ${userId}) returning name`)
    if (deleted === undefined) return false
    await recordAudit(transaction, { action: 'app.query_deleted', actor, appId, detail: { name: deleted.name } })
    return true
  })
}
