// Requests to look after a masjid that should come to nothing: of somebody who was dismissed there, for a masjid that is gone, of an
// account that was disabled; and two reviewers at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { sql } from '../../../src/db/sql.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson } from '../../support/oauth.ts'
import { hiddenFieldsOf, type Person } from '../../support/person.ts'

describe('a request to look after a masjid', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  const newReviewer = async (): Promise<Person> => {
    const user = await makePerson(database())
    await database().run(sql`update minaret.users set is_reviewer = true where id = ${user.id}`)
    return visitAs(minaret(), user)
  }
  /** @returns the page where reviewers decide about it. */
  const claim = async (masjid: Masjid, user: User): Promise<string> => {
    const path = `/staff/claim/${masjid.id}`
    const sent = await (await visitAs(minaret(), user)).submit(path, path, { words: 'I open the doors.' })
    assert.equal(sent.location, '/staff?done=requested', sent.text)
    const row = await database().first<{ id: string }>(sql`
      select id from minaret.masjid_requests where user_id = ${user.id} and state = 'pending'`)
    return `/review/masjids/${row?.id}`
  }
  const held = async (masjid: Masjid, user: User): Promise<number> =>
    (
      await database().query(sql`
        select from public.ua_capabilities
        where masjid_id = ${masjid.id} and user_id = ${user.id} and withdrawn_at is null`)
    ).length

  const assertRefused = async (masjid: Masjid, user: User, path: string): Promise<void> => {
    const { status, text } = await (await newReviewer()).submit(path, `${path}/approve`, { words: '' })
    assert.equal(status, 409, text)
    assert.equal(await held(masjid, user), 0)
    const row = await database().first<{ state: string }>(sql`
      select state from minaret.masjid_requests where user_id = ${user.id}`)
    assert.equal(row?.state, 'pending', 'it can still be rejected with a reason')
  }

  for (const [what, dismiss] of Object.entries({
    'whose membership was ended': sql`status = 'inactive'`,
    'whose membership was deleted': sql`deleted_at = now()`,
  }))
    test(`of somebody ${what} there is not approved in passing: the reviewer is told`, async () => {
      const masjid = await makeMasjid(database())
      const user = await makeStaff(database(), { masjid, capabilities: ['giving'] })
      await database().run(sql`update public.ua_members set ${dismiss} where user_id = ${user.id}`)
      await assertRefused(masjid, user, await claim(masjid, user))
    })

  test('for a masjid that was deleted meanwhile is not approved', async () => {
    const masjid = await makeMasjid(database())
    const user = await makePerson(database())
    const path = await claim(masjid, user)
    await database().run(sql`update public.up_masjids set deleted_at = now() where id = ${masjid.id}`)
    await assertRefused(masjid, user, path)
  })

  test('of an account that was disabled meanwhile is not approved', async () => {
    const masjid = await makeMasjid(database())
    const user = await makePerson(database())
    const path = await claim(masjid, user)
    await database().run(sql`update minaret.users set disabled_at = now() where id = ${user.id}`)
    await assertRefused(masjid, user, path)
  })

  test('is decided once, also by two reviewers at the same time', async () => {
    const masjid = await makeMasjid(database())
    const user = await makePerson(database())
    const path = await claim(masjid, user)
    const [one, other] = [await newReviewer(), await newReviewer()]
    // Both have the page open before either decides.
    const approving = hiddenFieldsOf((await one.get(path)).text, `${path}/approve`)
    const rejecting = hiddenFieldsOf((await other.get(path)).text, `${path}/reject`)
    const decided = await Promise.all([
      one.post(`${path}/approve`, { ...approving, words: '' }),
      other.post(`${path}/reject`, { ...rejecting, reason: 'No.' }),
    ])
    assert.deepEqual(decided.map(({ status }) => status).toSorted(), [303, 409])
    const approved = decided[0]?.status === 303
    assert.equal((await held(masjid, user)) > 0, approved)
  })
})
