// Somebody who had an account for a while asks for it to be erased: a thief, or whoever reads a mailbox that its owner has left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { lastMailTo } from '../../support/mail.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, type Person } from '../../support/person.ts'
import { changeAddress, comeBack, enterAsThief, NEW_PASSWORD } from './use-theft.ts'

/** Who asks is erased at once, usually. */
const minaret = useMinaret({ ERASURE_DAYS: '0' })
const database = () => minaret().service.database

const askForErasure = async (person: Person): Promise<void> =>
  assert.equal((await person.submit('/account/data/erase', '/account/data/erase', {})).status, 200)

const daysLeft = async (userId: string): Promise<number> =>
  (
    await database().first<{ days: number }>(sql`
      select round(extract(epoch from due_at - now()) / 86400)::int as days from minaret.erasures where user_id = ${userId}`)
  )?.days ?? 0

test('who follows the link of an old mailbox has nobody erased: the address of before is told, and keeps the account', async () => {
  const owner = await makeUser(database())
  const moved = `evil-${owner.email}`
  const oldLink = await changeAddress(minaret(), await enterAsThief(minaret(), owner), owner)
  const { back } = await comeBack(minaret(), oldLink, owner)
  assert.match((await lastMailTo(database(), moved)).subject, /former email address/)

  await askForErasure(back)
  assert.equal(await daysLeft(owner.id), 7)
  for (const address of [owner.email, moved])
    assert.match((await lastMailTo(database(), address)).subject, /will be erased/)
  const keeping = createPerson(minaret().baseUrl)
  const kept = await keeping.submit((await lastMailTo(database(), moved)).link, '/keep-account', {})
  assert.equal(kept.status, 200)
  assert.equal((await keeping.get('/account')).location, '/sign-in', 'it keeps the account, and opens nothing')
  assert.equal((await createPerson(minaret().baseUrl).signIn(owner.email, NEW_PASSWORD)).status, 303)
})

test('a thief who changed the address has nobody erased while the owner can take the account back, and the owner hears of it', async () => {
  const owner = await makeUser(database())
  const thief = await enterAsThief(minaret(), owner)
  const link = await changeAddress(minaret(), thief, owner)
  await askForErasure(thief)
  assert.equal(await daysLeft(owner.id), 7)
  assert.match((await lastMailTo(database(), owner.email)).subject, /will be erased/)
  const { entered } = await comeBack(minaret(), link, owner)
  assert.equal(entered.location, '/account/taken-back')
})

test('whoever has not changed their address lately is erased when they say', async () => {
  const owner = await makeUser(database())
  const own = createPerson(minaret().baseUrl)
  await own.signIn(owner.email, PASSWORD)
  await askForErasure(own)
  assert.equal(await daysLeft(owner.id), 0)
})
