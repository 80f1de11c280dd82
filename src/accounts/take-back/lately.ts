// An account → what it added, replaced or removed lately, with times, places and devices, and what of it is suspended; and its sign-ins.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

type ActKind = 'added' | 'replaced' | 'removed'

interface ActRow {
  readonly id: string
  readonly at: Date
  readonly act: ActKind
  /** As `minaret.take_back_rules` calls it. */
  readonly kind: string
  readonly name: string | null
  readonly changed: readonly string[]
  readonly place: string | null
  readonly grantee: string | null
  /** Who did it, if it was somebody to whom this account had given access. */
  readonly by: string | null
  readonly address: string | null
  readonly userAgent: string | null
  readonly isSuspended: boolean
  readonly hasFailed: boolean
  readonly endsAt: Date | null
}

export type Thing = Pick<ActRow, 'act' | 'kind' | 'name' | 'changed' | 'place' | 'grantee'>

/** What was done in one transaction: kept or not as a whole. */
export interface Step
  extends Pick<ActRow, 'at' | 'by' | 'address' | 'userAgent' | 'isSuspended' | 'hasFailed' | 'endsAt'> {
  readonly ids: readonly string[]
  readonly things: readonly Thing[]
}

const selectActs = (userId: string) => sql`
  select done.id, done.at, done.act, rule.kind, details.name, details.changed,
    coalesce(app.name, masjid.name) as place, grantee.name as grantee,
    case when done.actor_id <> ${userId} then actor.name end as by, origin.address, origin.user_agent as "userAgent",
    done.undone_at is not null as "isSuspended", done.failed_at is not null as "hasFailed",
    back.answered_at + interval '30 days' as "endsAt"
  from minaret.account_acts done
    join minaret.take_back_rules rule on rule.table_name = done.table_name
    left join minaret.take_backs back on back.id = done.take_back_id
    join minaret.users actor on actor.id = done.actor_id
    left join minaret.users grantee on grantee.id = done.grantee
    left join minaret.apps app on app.id = done.place
    left join public.up_masjids masjid on masjid.id = done.place
    cross join lateral (select minaret.act_details(done) as document) described
    -- What a masjid keeps about its members is shown there, to those who may see it.
    cross join lateral (select case when done.table_name <> 'public.ua_members' then coalesce(
        document ->> 'name', document ->> 'url', document ->> 'email', document ->> 'provider',
        document ->> 'capability', document ->> 'role', document ->> 'hint') end as name,
      array(select jsonb_object_keys(done.after)) as changed) details
    left join lateral (select entry.address, (select user_agent from minaret.sessions
        where user_id = done.actor_id and created_at <= done.at and address is not distinct from entry.address
        order by created_at desc limit 1) as user_agent
      from minaret.audit_log entry where entry.actor_id = done.actor_id and entry.at = done.at limit 1) origin on true
  where back.user_id = ${userId} or done.id in (select id from minaret.acts_since(${userId}, minaret.looked_at_since(${userId})))
  order by done.at desc, done.id limit 500`

const thingOf = ({ act, kind, name, changed, place, grantee }: ActRow): Thing => ({
  act,
  kind,
  name,
  changed,
  place,
  grantee,
})

const isSame = (left: Thing, right: Thing): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Ten recovery codes are one thing. */
const withThing = (things: readonly Thing[], thing: Thing): readonly Thing[] =>
  things.some(known => isSame(known, thing)) ? things : [...things, thing]

const toSteps = (rows: readonly ActRow[]): Step[] => {
  const steps = new Map<string, Step>()
  for (const row of rows) {
    const key = `${row.at.getTime()} ${row.by} ${row.isSuspended}`
    const { ids, things, hasFailed } = steps.get(key) ?? { ids: [], things: [], hasFailed: false }
    const { at, by, address, userAgent, isSuspended, endsAt } = row
    const origin = { at, by, address, userAgent, isSuspended, endsAt }
    const all = withThing(things, thingOf(row))
    steps.set(key, { ...origin, hasFailed: hasFailed || row.hasFailed, ids: [...ids, row.id], things: all })
  }
  return [...steps.values()]
}

/** Newest first. */
export const listSteps = async (queryable: Queryable, userId: string): Promise<Step[]> =>
  toSteps(await queryable.query<ActRow>(selectActs(userId)))

export interface SignIn {
  readonly id: string
  readonly at: Date
  readonly lastSeenAt: Date
  readonly address: string | null
  readonly userAgent: string | null
}

/**
 * Those before the account was taken back, newest first. The one from which the person looks is theirs: it would be the wrong answer
 * to the question which was the last of theirs before somebody else came.
 */
export const listSignIns = (queryable: Queryable, userId: string, currentId: string): Promise<SignIn[]> =>
  queryable.query<SignIn>(sql`
    select id, created_at as at, last_seen_at as "lastSeenAt", address, user_agent as "userAgent"
    from minaret.sessions where user_id = ${userId} and id <> ${currentId}
      and created_at <= coalesce((select max(at) from minaret.take_backs where user_id = ${userId} and because = 'link'), now())
    order by created_at desc limit 100`)

/** Whether the account was taken back, and its owner has yet to say what was theirs. */
export const isUnanswered = async (queryable: Queryable, userId: string): Promise<boolean> =>
  (await queryable.first(sql`
    select from minaret.take_backs where user_id = ${userId} and answered_at is null limit 1`)) !== undefined
