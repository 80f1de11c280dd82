// `minaret capability …` as typed: a masjid's first person is set up, and the rules of the database hold for operators too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actAs } from '../../src/capabilities/act-as.ts'
import { sql } from '../../src/db/sql.ts'
import { makeUser } from '../support/apps.ts'
import { insertMasjid } from '../support/masjids.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { runCommand } from '../support/process.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const run = (...line: string[]) =>
  runCommand(['capability', ...line], { DATABASE_URL: minaret().databaseUrl, MINARET_SECRET: TEST_SECRET })

const json = async (...line: string[]): Promise<Record<string, unknown>> => {
  const { status, stdout, stderr } = await run(...line, '--json')
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

const refusal = async (...line: string[]): Promise<string> => {
  const { status, stderr } = await run(...line)
  assert.equal(status, 1, stderr)
  return stderr
}

const makePair = async (): Promise<{ who: string[]; masjid: string; userId: string; email: string }> => {
  const masjid = await insertMasjid(database())
  const { id: userId, email } = await makeUser(database(), { hashed: false })
  return { who: ['--masjid', masjid, '--email', email], masjid, userId, email }
}

test('the first person of a masjid becomes a member and gets every capability, recorded', async () => {
  const { who, masjid, userId } = await makePair()
  assert.match(await refusal('grant', ...who, '--capability', 'all'), /Only an active member/)
  const granted = await json('grant', ...who, '--capability', 'all', '--member')
  assert.deepEqual([...(granted.capabilities as string[])].sort(), [
    'announcements',
    'capabilities',
    'events',
    'giving',
    'people',
    'screens',
    'times',
  ])
  await json('grant', ...who, '--capability', 'events', '--member')
  const members = await database().query(sql`select role from public.ua_members where masjid_id = ${masjid}`)
  assert.deepEqual(members, [{ role: 'member' }])
  const [entry] = await database().query<{ actor: string; detail: { masjid_id: string } }>(sql`
    select actor, detail from minaret.audit_log where action = 'capability.granted' and user_id = ${userId} order by id`)
  assert.deepEqual([entry?.actor, entry?.detail.masjid_id], ['command', masjid])
})

test('a member who is listed with the confirmed address is linked once the account accepts, and is not listed twice then', async () => {
  const { who, masjid, userId, email } = await makePair()
  await database().run(sql`
    insert into public.ua_members (masjid_id, given_name, email) values (${masjid}, 'Known', ${email})`)
  await database().run(sql`
    update public.member_addresses set set_at = now() - interval '31 days'
    where member_id in (select id from public.ua_members where masjid_id = ${masjid})`)
  await json('grant', ...who, '--capability', 'times', '--member')
  const accepted = await database().transaction(async transaction => {
    await actAs(transaction, userId)
    return transaction.query(
      sql`select accept_member_link(member_id) as outcome from member_links where user_id = ${userId}`,
    )
  })
  assert.deepEqual(accepted, [{ outcome: 'linked' }])
  const members = await database().query(sql`
    select given_name, user_id from public.ua_members where masjid_id = ${masjid}`)
  assert.deepEqual(members, [{ given_name: 'Known', user_id: userId }])
  assert.match((await run('list', '--masjid', masjid)).stdout, /times/)
})

test('somebody who was dismissed is not taken back by --member', async () => {
  const { who, masjid, userId } = await makePair()
  await database().run(sql`
    insert into public.ua_members (masjid_id, user_id, given_name, status)
    values (${masjid}, ${userId}, 'Former', 'inactive')`)
  assert.match(await refusal('grant', ...who, '--capability', 'times', '--member'), /Only an active member/)
})

test('what was granted is listed and withdrawn; the last manager and what comes with a role stay', async () => {
  const { who, masjid, userId } = await makePair()
  await json('grant', ...who, '--member', '--capability', 'capabilities', '--capability', 'events')
  const { stdout } = await run('list', '--masjid', masjid)
  assert.match(stdout, /Larkspur Lane Masjid {2}\S+ {2}capabilities\n.*events/)
  assert.match(await refusal('withdraw', ...who, '--capability', 'capabilities'), /Somebody has to manage/)
  const left = await json('withdraw', ...who, '--capability', 'events')
  assert.deepEqual(left.capabilities, ['capabilities'])
  assert.match((await run('withdraw', ...who, '--capability', 'events')).stdout, /held none of these/)
  await database().run(sql`update public.ua_members set role = 'board' where user_id = ${userId}`)
  assert.match(await refusal('withdraw', ...who, '--capability', 'giving'), /comes with the person's role/)
  const { capabilities } = (await json('list', '--masjid', masjid)) as { capabilities: { through: string }[] }
  assert.equal(capabilities.filter(({ through }) => through === 'role').length, 6)
})

test('a masjid, account or capability that does not exist is named; a missing option is a usage error', async () => {
  const { who, masjid, email } = await makePair()
  assert.match(await refusal('grant', '--masjid', 'nowhere', '--email', email, '--capability', 'times'), /"nowhere"/)
  const nobody = ['--masjid', masjid, '--email', 'nobody@example.org', '--capability', 'times']
  assert.match(await refusal('grant', ...nobody), /nobody@example\.org/)
  assert.match(await refusal('grant', ...who, '--capability', 'everything'), /times, events/)
  assert.equal((await run('grant', ...who)).status, 2)
  assert.equal((await run('list', '--help')).status, 0)
})
