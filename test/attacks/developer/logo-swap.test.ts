// A developer keeps the logo from being fetched during the review, to show another one once the app is approved.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveApp } from '../../../src/apps/decide.ts'
import { commandActor as actor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { claimImages, refuseImage } from '../../../src/images/images.ts'
import { ImageRefused } from '../../../src/images/refused.ts'
import { makeApp, makePendingApp, makeUser } from '../../support/apps.ts'
import { imageRow } from '../../support/image-rows.ts'
import { useDatabase } from '../../support/open-database.ts'

const database = useDatabase()
const LOGO = 'https://logo.test/swap.png'

const refuseAll = async (): Promise<void> => {
  for (const image of await claimImages(database(), 100))
    await refuseImage(database(), image, new ImageRefused('status', { status: 404 }))
  await database().run(sql`update minaret.images set try_at = now()`)
}

test('a refused logo is not fetched again once the app is approved, whoever requests the same URL', async () => {
  const pending = await makePendingApp(database(), { logo: LOGO })
  await refuseAll()
  await database().run(sql`update minaret.apps set logo = ${LOGO} where id = ${pending}`)
  assert.equal((await imageRow(database(), LOGO))?.state, 'waiting', 'before the decision it is fetched again')
  await refuseAll()
  await approveApp(database(), { appId: pending, actor })

  await makePendingApp(database(), { logo: LOGO })
  const person = await makeUser(database(), { hashed: false })
  await database().run(sql`update minaret.users set picture = ${LOGO} where id = ${person.id}`)
  const { id } = await makeApp(database())
  await database().run(sql`
    insert into minaret.app_changes (app_id, proposed, requested_by)
    select id, jsonb_build_object('logo', ${LOGO}::text), owner_id from minaret.apps where id = ${id}`)
  assert.equal((await imageRow(database(), LOGO))?.state, 'refused')
})

test('a logo whose host was down during the review is not retried after the approval', async () => {
  const logo = 'https://logo.test/down-for-now.png'
  const appId = await makePendingApp(database(), { logo })
  for (const image of await claimImages(database(), 100))
    await refuseImage(database(), image, new ImageRefused('unreachable', { mayPass: true }))
  assert.equal((await imageRow(database(), logo))?.state, 'waiting')
  await approveApp(database(), { appId, actor })
  const row = await imageRow(database(), logo)
  assert.deepEqual([row?.state, row?.reason], ['refused', 'unreachable'])
})

test('a logo that was not tried yet is fetched, even after the approval', async () => {
  const logo = 'https://logo.test/at-once.png'
  await makeApp(database(), { logo })
  assert.equal((await imageRow(database(), logo))?.state, 'waiting')
})
