// A person whom several masjids and apps know, with rows in every table that holds people, beside others in the same rows.
import { randomUUID } from 'node:crypto'
import type { User } from '../../src/accounts/users.ts'
import type { Database } from '../../src/db/database.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import { makeUser } from '../support/apps.ts'
import { insertOccurrence } from '../support/events.ts'
import { insertMasjid } from '../support/masjids.ts'

export interface Life {
  readonly user: User
  /** Lives in the same household, and is a member of the same masjid. */
  readonly relative: { readonly id: string; readonly name: string; readonly email: string }
  readonly masjidId: string
  readonly memberId: string
  readonly householdId: string
  readonly campaignId: string
  readonly occurrenceId: string
  /** Stands in the person's rows, and nowhere else in the database. */
  readonly marks: readonly string[]
}

const idOf = async (database: Database, statement: ReturnType<typeof sql>): Promise<string> => {
  const row = await database.first<{ id: string }>(statement)
  if (row === undefined) throw new Error('The row was not written.')
  return row.id
}

const addGifts = async (
  database: Database,
  life: Pick<Life, 'masjidId' | 'memberId' | 'campaignId' | 'user'>,
  mark: string,
) => {
  const { masjidId, memberId, campaignId, user } = life
  const recurring = await idOf(
    database,
    sql`insert into public.ua_recurring_donations (masjid_id, member_id, amount_minor, currency, next_on)
      values (${masjidId}, ${memberId}, 1000, 'USD', current_date) returning id`,
  )
  await database.run(sql`
    insert into public.ua_donations (masjid_id, campaign_id, member_id, recurring_donation_id, amount_minor, currency, method, status, received_at)
    values (${masjidId}, ${campaignId}, ${memberId}, ${recurring}, 5000, 'USD', 'card', 'succeeded', now())`)
  await database.run(sql`
    insert into public.ua_donations (masjid_id, campaign_id, donor_name, donor_email, amount_minor, currency, method, status, received_at)
    values (${masjidId}, ${campaignId}, ${`=HYPERLINK("https://evil.example","${mark}")`}, ${user.email}, 700, 'USD', 'cash', 'succeeded', now())`)
}

const addAnswers = async (
  database: Database,
  life: Pick<Life, 'masjidId' | 'memberId' | 'occurrenceId' | 'user'>,
  mark: string,
) => {
  const { masjidId, memberId, occurrenceId, user } = life
  await database.run(sql`
    insert into public.up_event_rsvps (occurrence_id, masjid_id, member_id) values (${occurrenceId}, ${masjidId}, ${memberId})`)
  const other = await insertOccurrence(database, masjidId, null)
  await database.run(sql`
    insert into public.up_event_rsvps (occurrence_id, masjid_id, guest_name, guest_email)
    values (${other}, ${masjidId}, ${`${mark} as a guest`}, ${user.email}),
      (${other}, ${masjidId}, 'Somebody Else', ${`other-${randomUUID()}@example.org`})`)
  await database.run(sql`
    insert into public.consent_records (masjid_id, member_id, given_on, given_how, evidence)
    values (${masjidId}, ${memberId}, '2026-01-01', 'paper', ${`folder ${mark}`})`)
}

const addMember = (
  database: Database,
  values: { masjidId: string; householdId: string; userId: string | null; name: string; email: string },
) =>
  idOf(
    database,
    sql`insert into public.ua_members (masjid_id, household_id, user_id, given_name, family_name, email, phone)
      values (${values.masjidId}, ${values.householdId}, ${values.userId}, ${values.name}, 'Testfamily', ${values.email}, '+15550100')
      returning id`,
  )

export const makeLife = async (database: Database): Promise<Life> => {
  const mark = `mark-${randomUUID().slice(0, 8)}`
  const user = await makeUser(database, { name: `${mark} of the account`, email: `${mark}@example.org` })
  const masjidId = await insertMasjid(database)
  const householdId = await idOf(
    database,
    sql`insert into public.ua_households (masjid_id, name, address) values (${masjidId}, 'A household', '5 Tansy Street') returning id`,
  )
  const memberId = await addMember(database, { masjidId, householdId, userId: user.id, name: mark, email: user.email })
  const relative = { name: `Relative of ${mark.slice(5)}`, email: `relative-${mark.slice(5)}@example.org` }
  const relativeId = await addMember(database, { masjidId, householdId, userId: null, ...relative })
  const campaignId = await idOf(
    database,
    sql`insert into public.ua_campaigns (masjid_id, title, currency) values (${masjidId}, 'A roof', 'USD') returning id`,
  )
  const occurrenceId = await insertOccurrence(database, masjidId, 1)
  await addGifts(database, { masjidId, memberId, campaignId, user }, mark)
  await addAnswers(database, { masjidId, memberId, occurrenceId, user }, mark)
  await database.run(sql`
    insert into public.ua_capabilities (masjid_id, user_id, capability) values (${masjidId}, ${user.id}, 'events')`)
  await database.run(sql`
    insert into minaret.audit_log (action, actor, actor_id, user_id, address)
    values ('session.started', 'user', ${user.id}, ${user.id}, '203.0.113.7'),
      ('user.right_given', 'user', ${randomUUID()}, ${user.id}, '198.51.100.99')`)
  return {
    user,
    relative: { id: relativeId, ...relative },
    masjidId,
    memberId,
    householdId,
    campaignId,
    occurrenceId,
    marks: [mark],
  }
}

/** Every row of the database in which a text stands, as `table: row`. Slow, and leaves nothing out. */
export const findEverywhere = async (database: Database, text: string): Promise<string[]> => {
  const tables = await database.query<{ name: string }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('minaret', 'public', 'changes') and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.query<{ line: string }>(sql`
      select row_to_json(one)::text as line from (select * from ${rawSql(name)}) one
      where position(${text} in one::text) > 0`)
    found.push(...rows.map(({ line }) => `${name}: ${line}`))
  }
  return found
}
