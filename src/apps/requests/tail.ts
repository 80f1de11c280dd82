// The requests of an app while a member of its team looks at them: the latest, without any value.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { redactQuery } from './redact-query.ts'

export interface RequestLine {
  readonly appId: string
  readonly keyId: string | undefined
  readonly at: Date
  readonly outcome: 'answered' | 'refused' | 'failed'
  readonly code: string | undefined
  readonly milliseconds: number
  readonly rows: number
  readonly query: string
}

export interface ListedRequest extends Omit<RequestLine, 'appId' | 'keyId' | 'code'> {
  readonly id: string
  /** Null for an access token. */
  readonly key: string | null
  readonly code: string | null
}

const MOST_SHOWN = 100

/** From now on, and for as long after the last look, processes write down the requests of this app. */
export const lookAtRequests = async (database: Queryable, appId: string): Promise<void> => {
  await database.run(sql`
    insert into minaret.app_tails (app_id, until) values (${appId}, now() + interval '2 minutes')
    on conflict (app_id) do update set until = excluded.until`)
}

export const listRequests = (database: Queryable, appId: string): Promise<ListedRequest[]> =>
  database.query<ListedRequest>(sql`
    select r.id::text, k.name as key, r.at, r.outcome, r.code, r.milliseconds, r.rows, r.query
    from minaret.tailed_requests r left join minaret.api_keys k on k.id = r.key_id
    where r.app_id = ${appId} and r.at > now() - interval '15 minutes' order by r.id desc limit ${MOST_SHOWN}`)

const lookedAt = async (database: Queryable): Promise<ReadonlySet<string>> => {
  const rows = await database.query<{ id: string }>(sql`
    select app_id as id from minaret.app_tails where until > now() limit 1000`)
  return new Set(rows.map(({ id }) => id))
}

const toRow = ({ appId, keyId, query, ...line }: RequestLine): object => ({
  app_id: appId,
  key_id: keyId,
  query: redactQuery(query),
  ...line,
})

/** Only those of apps that somebody looks at. */
export const writeRequests = async (database: Queryable, lines: readonly RequestLine[]): Promise<void> => {
  const apps = await lookedAt(database)
  const kept = lines.filter(({ appId }) => apps.has(appId))
  if (kept.length === 0) return
  await database.run(sql`
    insert into minaret.tailed_requests (app_id, key_id, at, outcome, code, milliseconds, rows, query)
    select l.app_id, k.id, l.at, l.outcome, left(l.code, 100), l.milliseconds, l.rows, l.query
    from jsonb_to_recordset(${JSON.stringify(kept.map(toRow))}::jsonb) as l (app_id uuid, key_id uuid, at timestamptz,
        outcome text, code text, milliseconds integer, rows integer, query text)
      join minaret.apps a on a.id = l.app_id
      left join minaret.api_keys k on k.id = l.key_id
    order by l.at`)
}
