// The team of a masjid: invited by mail, given and withdrawn by tick, never without somebody who decides.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { countMailTo, lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
import { createPerson } from '../support/person.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from './use-staff.ts'

describe('the team of a masjid', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const enter = async () => {
    const masjid = await makeMasjid(database(), { name: 'Juniper Masjid' })
    const manager = await makeStaff(database(), { masjid, role: 'admin' })
    return { masjid, manager, person: await visitAs(minaret(), manager), base: `/staff/${masjid.slug}/team` }
  }
  const heldBy = async (masjid: Masjid, user: { readonly id: string }): Promise<string[]> => {
    const rows = await database().query<{ capability: string }>(sql`
      select capability::text from public.ua_capabilities
      where masjid_id = ${masjid.id} and user_id = ${user.id} and withdrawn_at is null order by capability`)
    return rows.map(({ capability }) => capability)
  }

  test('grows by invitation: the link is accepted by the account with that address', async () => {
    const { masjid, person, base, manager } = await enter()
    const invited = await makePerson(database())
    const sent = await person.submit(base, `${base}/invite`, {
      email: invited.email.toUpperCase(),
      capabilities: 'events',
    })
    assert.equal(sent.location, `${base}?done=sent`, sent.text)
    const mail = await lastMailTo(database(), invited.email.toLowerCase())
    assert.match(mail.text, /Juniper Masjid/)
    assert.match((await person.get(base)).text, /Open invitations/)
    const newcomer = await visitAs(minaret(), invited)
    assert.match((await newcomer.get(mail.link)).text, /Look after Juniper Masjid/)
    assert.equal((await newcomer.submit(mail.link, mail.link, {})).location, `/staff/${masjid.slug}`)
    assert.deepEqual(await heldBy(masjid, invited), ['events'])
    assert.equal((await newcomer.get(`/staff/${masjid.slug}/events`)).status, 200)
    assert.equal((await newcomer.get(base)).status, 403)
    const [granted] = await database().query<{ granted_by: string }>(sql`
      select granted_by from public.ua_capabilities where masjid_id = ${masjid.id} and user_id = ${invited.id}`)
    assert.equal(granted?.granted_by, manager.id)
    assert.ok(!(await person.get(base)).text.includes('Open invitations'))
  })

  test('invites addresses with and without an account alike, and asks a stranger to sign in first', async () => {
    const { person, base } = await enter()
    const known = await makePerson(database())
    const answers = []
    for (const email of [known.email, 'nobody-here@example.org']) {
      const sent = await person.submit(base, `${base}/invite`, { email, capabilities: 'times' })
      answers.push([sent.status, sent.location])
      assert.equal(await countMailTo(database(), email), 1)
    }
    assert.deepEqual(answers[0], answers[1])
    const { link } = await lastMailTo(database(), 'nobody-here@example.org')
    assert.equal((await createPerson(minaret().baseUrl).get(link)).location, '/sign-in')
  })

  test('sends a link once more: only the newest works; and withdraws it', async () => {
    const { person, base } = await enter()
    const invited = await makePerson(database())
    await person.submit(base, `${base}/invite`, { email: invited.email, capabilities: 'times' })
    const first = await lastMailTo(database(), invited.email)
    const id = /invitations\/([0-9a-f-]{36})\/again/.exec((await person.get(base)).text)?.[1]
    assert.equal((await person.submit(base, `${base}/invitations/${id}/again`, {})).location, `${base}?done=again`)
    const second = await lastMailTo(database(), invited.email)
    const newcomer = await visitAs(minaret(), invited)
    assert.equal((await newcomer.get(first.link)).status, 410)
    assert.equal((await newcomer.get(second.link)).status, 200)
    assert.equal(
      (await person.submit(base, `${base}/invitations/${id}/withdraw`, {})).location,
      `${base}?done=withdrawn`,
    )
    assert.equal((await newcomer.get(second.link)).status, 410)
  })

  test('comes back with what was typed and what is wrong', async () => {
    const { person, base } = await enter()
    const sent = await person.submit(base, `${base}/invite`, { email: 'not an address' })
    assert.equal(sent.status, 422)
    assert.match(sent.text, /<title>Error: /)
    for (const field of ['email', 'capabilities']) assert.match(sent.text, new RegExp(`href="#${field}"`))
    assert.match(sent.text, /value="not an address"/)
  })

  test('gives and withdraws by tick, and never takes the last who decides', async () => {
    const masjid = await makeMasjid(database())
    const manager = await makeStaff(database(), { masjid, capabilities: ['capabilities', 'times'] })
    const person = await visitAs(minaret(), manager)
    const path = `/staff/${masjid.slug}/team/people/${manager.id}`
    const refused = await person.submit(path, path, { capabilities: 'times' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Somebody has to manage the capabilities of the masjid/)
    const other = await makeStaff(database(), { masjid, capabilities: ['events'] })
    const others = `/staff/${masjid.slug}/team/people/${other.id}`
    assert.match((await person.submit(others, others, { capabilities: 'giving' })).location ?? '', /done=saved/)
    assert.deepEqual(await heldBy(masjid, other), ['giving'])
  })
})
