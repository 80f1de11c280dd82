// A service, masjids, and people who look after them: signed in with a session, by HTTP or in a browser.
import type { Page } from 'playwright-core'
import { startSession } from '../../src/accounts/sessions.ts'
import type { User } from '../../src/accounts/users.ts'
import type { Capability } from '../../src/base/capability-names.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { insertMasjid, type TestMasjid } from '../support/masjids.ts'
import type { TestMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
import { createPerson, type Person } from '../support/person.ts'

export interface Masjid {
  readonly id: string
  readonly slug: string
}

export const makeMasjid = async (database: Database, given: TestMasjid = {}): Promise<Masjid> => {
  const id = await insertMasjid(database, given)
  const row = await database.first<Masjid>(sql`select id, slug from public.up_masjids where id = ${id}`)
  if (row === undefined) throw new Error('The masjid was not written.')
  return row
}

/** As the upgrade that wrote the rule down left it: any later write of the rule ends the question. */
export const askAboutRule = (database: Database, masjid: Masjid): Promise<void> =>
  database.transaction(async statements => {
    await statements.run(sql`alter table public.up_masjids disable trigger answer_rule_question`)
    await statements.run(sql`
      update public.up_masjids set high_latitude_rule = 'seventh_of_the_night', high_latitude_rule_to_confirm = true
      where id = ${masjid.id}`)
    await statements.run(sql`alter table public.up_masjids enable trigger answer_rule_question`)
  })

export interface Post {
  readonly masjid: Masjid
  readonly role?: 'member' | 'volunteer' | 'staff' | 'board' | 'admin'
  readonly capabilities?: readonly Capability[]
}

/** An account that is a member of the masjid and holds these capabilities there. */
export const makeStaff = async (
  database: Database,
  { masjid, role = 'member', capabilities = [] }: Post,
): Promise<User> => {
  const user = await makePerson(database)
  await database.run(sql`
    insert into public.ua_members (masjid_id, user_id, given_name, role, status)
    values (${masjid.id}, ${user.id}, 'Amina', ${role}::public.ua_member_role, 'active')`)
  for (const capability of capabilities)
    await database.run(sql`
      insert into public.ua_capabilities (masjid_id, user_id, capability)
      values (${masjid.id}, ${user.id}, ${capability}::public.ua_capability)`)
  return user
}

const sessionOf = ({ service }: TestMinaret, user: User): Promise<string> =>
  startSession(service.database, user.id, { address: '192.0.2.1', userAgent: 'Chromium' })

/** Signed in, without a browser. */
export const visitAs = async (minaret: TestMinaret, user: User): Promise<Person> => {
  const person = createPerson(minaret.baseUrl)
  person.cookies.set('minaret_session', await sessionOf(minaret, user))
  return person
}

/** Signs the browser's page in. */
export const enterAs = async (minaret: TestMinaret, page: Page, user: User, language = 'en'): Promise<void> => {
  const cookies = { minaret_session: await sessionOf(minaret, user), minaret_language: language }
  const url = minaret.baseUrl
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
}
