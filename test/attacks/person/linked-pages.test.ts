// The pages on which a link between a member and an account is seen, accepted, declined and confirmed.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { actAs } from '../../../src/capabilities/act-as.ts'
import { sql } from '../../../src/db/sql.ts'
import { readZip } from '../../own-data/read-zip.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { lastMailTo } from '../../support/mail.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson } from '../../support/oauth.ts'
import { decodeHtml, type Person } from '../../support/person.ts'

const DATA = '/account/data'

describe('a link to an account of one’s own', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  const listGiver = async (masjid: Masjid, email: string | null = null): Promise<string> => {
    const row = await database().first<{ id: string }>(sql`
      insert into public.ua_members (masjid_id, given_name, phone, email)
      values (${masjid.id}, 'Hidden Giver', '+15550177', ${email}) returning id`)
    await database().run(sql`
      insert into public.ua_donations (masjid_id, member_id, amount_minor, currency, method, status, received_at)
      values (${masjid.id}, ${row?.id ?? ''}, 31337, 'USD', 'cash', 'succeeded', now())`)
    return row?.id ?? ''
  }

  const link = (linker: User, memberId: string, account: User): Promise<unknown> =>
    database().transaction(async transaction => {
      await actAs(transaction, linker.id)
      await transaction.run(sql`select public.ua_link_account(${memberId}, ${account.id})`)
    })

  const makeLink = async () => {
    const masjid = await makeMasjid(database())
    const linker = await makeStaff(database(), { masjid, capabilities: ['people'] })
    const account = await makePerson(database())
    const memberId = await listGiver(masjid)
    await link(linker, memberId, account)
    const person = await visitAs(minaret(), account)
    const page = `/staff/${masjid.slug}/people/${memberId}`
    return { masjid, linker, account, memberId, person, page, path: `${DATA}/links/${memberId}` }
  }

  const download = async (person: Person): Promise<string> => {
    const { text } = await person.submit(DATA, `${DATA}/export`, {})
    const href = decodeHtml(/href="(\/account\/data\/download[^"]*)"/.exec(text)?.[1] ?? '')
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(href, minaret().baseUrl), { headers: { cookie } })
    const files = await readZip(Buffer.from(await response.arrayBuffer()))
    return [...files.values()].join('\n')
  }

  const accountOf = async (memberId: string): Promise<string | null | undefined> => {
    const row = await database().first<{ user_id: string | null }>(sql`
      select user_id from public.ua_members where id = ${memberId}`)
    return row?.user_id
  }

  test('neither the page nor the download says anything of the member while it waits, also once accepted', async () => {
    const { person, path, memberId } = await makeLink()
    const shown = await person.get(DATA)
    assert.match(shown.text, /A masjid links you to one of its members/)
    assert.ok(!shown.text.includes('Hidden Giver'))
    const accepted = await person.submit(DATA, `${path}/accept`, {})
    assert.equal(accepted.location, `${DATA}?done=waits`)
    assert.match((await person.get(`${DATA}?done=waits`)).text, /You have accepted/)
    assert.doesNotMatch(await download(person), /Hidden Giver|31337|5550177/)
    assert.equal(await accountOf(memberId), null)
  })

  test('the account declines, and nobody else answers for it', async () => {
    const { person, path, page, linker } = await makeLink()
    const stranger = await visitAs(minaret(), linker)
    const { text } = await stranger.get(DATA)
    const token = /name="anti_forgery" value="([^"]*)"/.exec(text)?.[1] ?? ''
    for (const answer of ['accept', 'decline'])
      assert.equal((await stranger.post(`${path}/${answer}`, { anti_forgery: token })).status, 404)
    assert.equal((await person.submit(DATA, `${path}/decline`, {})).location, `${DATA}?done=declined`)
    assert.ok(!(await person.get(DATA)).text.includes(path))
    assert.match((await stranger.get(page)).text, /None\./)
  })

  test('staff see that it waits; a second person with “capabilities” confirms it, and who linked cannot', async () => {
    const { masjid, linker, account, memberId, person, page, path } = await makeLink()
    const first = await visitAs(minaret(), linker)
    const second = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))
    const before = await second.get(page)
    assert.match(before.text, /has not accepted yet/)
    assert.ok(!before.text.includes(account.email), 'whose account it is, is not told before')
    assert.ok(!before.text.includes('Confirm the link'))
    await person.submit(DATA, `${path}/accept`, {})
    const shown = await first.get(page)
    assert.ok(shown.text.includes(account.email) && !shown.text.includes('Confirm the link'))
    const token = /name="anti_forgery" value="([^"]*)"/.exec(shown.text)?.[1] ?? ''
    assert.equal((await first.post(`${page}/link`, { anti_forgery: token, account: account.id })).status, 403)
    assert.equal(await accountOf(memberId), null)
    assert.equal((await second.submit(page, `${page}/link`, {})).location, `${page}?done=linked`)
    assert.equal(await accountOf(memberId), account.id)
    assert.match((await second.get(page)).text, /Signs in with an account of their own/)
    assert.match(await download(person), /Hidden Giver/)
  })

  test('an admin who links cannot confirm it, nor by a forged form', async () => {
    const { masjid, account, memberId, person, page, path } = await makeLink()
    const admin = await makeStaff(database(), { masjid, role: 'admin' })
    await link(admin, memberId, account)
    await person.submit(DATA, `${path}/accept`, {})
    const visit = await visitAs(minaret(), admin)
    const token = /name="anti_forgery" value="([^"]*)"/.exec((await visit.get(page)).text)?.[1] ?? ''
    const forged = await visit.post(`${page}/link`, { anti_forgery: token, account: account.id })
    assert.equal(forged.location, `${page}?done=not-linked`)
    assert.equal(await accountOf(memberId), null)
  })

  test('an invitation to an address that was put on record yesterday gives capabilities, and shows no gifts', async () => {
    const masjid = await makeMasjid(database())
    const manager = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))
    const account = await makePerson(database())
    const memberId = await listGiver(masjid, account.email)
    const base = `/staff/${masjid.slug}/team`
    await manager.submit(base, `${base}/invite`, { email: account.email, capabilities: 'events' })
    const { link: invitation } = await lastMailTo(database(), account.email)
    const person = await visitAs(minaret(), account)
    await person.submit(invitation, invitation, {})
    assert.equal((await person.get(`/staff/${masjid.slug}/events`)).status, 200)
    assert.doesNotMatch(await download(person), /Hidden Giver|31337|5550177/)
    assert.equal(await accountOf(memberId), null)
    await database().run(sql`
      update public.member_addresses set set_at = now() - interval '31 days' where member_id = ${memberId}`)
    const accepted = await person.submit(DATA, `${DATA}/links/${memberId}/accept`, {})
    assert.equal(accepted.location, `${DATA}?done=linked`)
    assert.match(await download(person), /31337/)
    assert.equal((await person.get(`/staff/${masjid.slug}/events`)).status, 200)
  })

  test('both pages exist in Arabic', async () => {
    const { person, path } = await makeLink()
    person.cookies.set('minaret_language', 'ar')
    const { text } = await person.get(DATA)
    assert.match(text, /مسجد يربط حسابك/)
    assert.ok(text.includes(`${path}/decline`))
  })
})
