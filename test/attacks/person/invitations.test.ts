// Invitations in the wrong hands: another account, a second use, an inviter without rights, forged ids.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { lastMailTo } from '../../support/mail.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson } from '../../support/oauth.ts'

describe('an invitation to look after a masjid', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const invite = async () => {
    const masjid = await makeMasjid(database())
    const manager = await makeStaff(database(), { masjid, role: 'admin' })
    const person = await visitAs(minaret(), manager)
    const invited = await makePerson(database())
    const base = `/staff/${masjid.slug}/team`
    await person.submit(base, `${base}/invite`, { email: invited.email, capabilities: 'people' })
    return { masjid, manager, person, invited, base, ...(await lastMailTo(database(), invited.email)) }
  }
  const holders = (masjid: Masjid) =>
    database().query(sql`select from public.ua_capabilities where masjid_id = ${masjid.id} and withdrawn_at is null`)
  const tokenOn = (text: string): string => /name="anti_forgery" value="([^"]*)"/.exec(text)?.[1] ?? ''

  test('is worth nothing to another account, and tells it nothing', async () => {
    const { masjid, link } = await invite()
    const thief = await visitAs(minaret(), await makePerson(database()))
    const shown = await thief.get(link)
    assert.equal(shown.status, 403)
    assert.ok(!shown.text.includes(masjid.slug))
    assert.equal((await thief.post(link, { anti_forgery: tokenOn(shown.text) })).status, 403)
    assert.equal((await holders(masjid)).length, 0)
  })

  test('is worth nothing to an account that claims the address without having confirmed it', async () => {
    const { masjid, link, invited } = await invite()
    await database().run(sql`update minaret.users set email_verified_at = null where id = ${invited.id}`)
    const { text, status } = await (await visitAs(minaret(), invited)).get(link)
    assert.notEqual(status, 200)
    assert.ok(!text.includes(masjid.slug))
    assert.equal((await holders(masjid)).length, 0)
    await assert.rejects(
      database().run(sql`
        update minaret.masjid_invitations set accepted_at = now(), accepted_by = ${invited.id} where masjid_id = ${masjid.id}`),
      /confirmed address/,
    )
  })

  test('works once, also for two who press at the same time', async () => {
    const { masjid, link, invited } = await invite()
    const person = await visitAs(minaret(), invited)
    const token = tokenOn((await person.get(link)).text)
    const both = await Promise.all([1, 2].map(() => person.post(link, { anti_forgery: token })))
    assert.deepEqual(both.map(({ status }) => status).sort(), [303, 410])
    assert.equal((await person.post(link, { anti_forgery: token })).status, 410)
    assert.equal((await holders(masjid)).length, 1)
  })

  test('ends with the rights of whoever sent it', async () => {
    const { masjid, manager, link, invited } = await invite()
    await makeStaff(database(), { masjid, role: 'admin' })
    await database().run(sql`update public.ua_members set role = 'member' where user_id = ${manager.id}`)
    const person = await visitAs(minaret(), invited)
    assert.equal((await person.submit(link, link, {})).status, 403)
    assert.equal((await holders(masjid)).length, 0)
  })

  test('gives nothing to somebody whom the masjid dismissed, and stays unused', async () => {
    const { masjid, link, invited } = await invite()
    await database().run(sql`
      insert into public.ua_members (masjid_id, user_id, given_name, status)
      values (${masjid.id}, ${invited.id}, 'A', 'inactive')`)
    const person = await visitAs(minaret(), invited)
    const refused = await person.submit(link, link, {})
    assert.equal(refused.status, 422)
    assert.match(refused.text, /not active/)
    assert.equal((await holders(masjid)).length, 0)
    assert.equal((await person.get(link)).status, 200)
  })

  test('is neither sent nor withdrawn for another masjid', async () => {
    const { masjid, invited, link } = await invite()
    const other = await invite()
    const id = /invitations\/([0-9a-f-]{36})\/withdraw/
    const page = await (await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))).get(
      `/staff/${masjid.slug}/team`,
    )
    const theirs = id.exec(page.text)?.[1] ?? ''
    const token = tokenOn((await other.person.get(other.base)).text)
    const withdrawn = await other.person.post(`${other.base}/invitations/${theirs}/withdraw`, { anti_forgery: token })
    assert.equal(withdrawn.status, 404)
    const again = await other.person.post(`${other.base}/invitations/${theirs}/again`, { anti_forgery: token })
    assert.match(again.location ?? '', /not-again/)
    const foreign = await other.person.post(`/staff/${masjid.slug}/team/invite`, {
      anti_forgery: token,
      email: 'a@example.org',
      capabilities: 'times',
    })
    assert.equal(foreign.status, 404)
    assert.equal((await (await visitAs(minaret(), invited)).get(link)).status, 200)
  })

  test('and the ticks of a person change nothing at another masjid', async () => {
    const { masjid } = await invite()
    const target = await makeStaff(database(), { masjid, capabilities: ['events'] })
    const other = await invite()
    const token = tokenOn((await other.person.get(other.base)).text)
    const path = `${other.base}/people/${target.id}`
    assert.equal((await other.person.post(path, { anti_forgery: token, capabilities: 'capabilities' })).status, 404)
    assert.equal((await holders(masjid)).length, 1)
    assert.equal((await holders(other.masjid)).length, 0)
  })
})
