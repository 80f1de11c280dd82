// The review desk as people use it: a rejected app fixed and approved, masjids chosen, concurrent reviewers, a change, a suspension.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findApp } from '../../src/apps/app.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { asPerson, type Place, registerThroughForm } from '../console/people.ts'
import { makeApp, makePendingApp, makeUser } from '../support/apps.ts'
import { noBrowser, useBrowser } from '../support/browser.ts'
import { lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()
const browser = useBrowser()
const place = (): Place => ({ browser: browser(), baseUrl: minaret().baseUrl })
const database = (): Database => minaret().service.database

const insertMasjid = async (slug: string, name: string): Promise<string> => {
  const row = await database().first<{ id: string }>(sql`
    insert into public.up_masjids (slug, name, address, city, state, country, latitude, longitude, timezone)
    values (${slug}, ${name}, 'Street 1', 'Dearborn', 'MI', 'US', 42.3, -83.2, 'America/Detroit') returning id`)
  return String(row?.id)
}

test('a rejected app is fixed, submitted again and approved, and its owner gets mail about each step', {
  skip: noBrowser,
}, async () => {
  const developer = await makeUser(database())
  const reviewer = await makeUser(database(), { isReviewer: true })
  const wishes = {
    name: 'Eid planner',
    kind: 'Public',
    redirectUris: 'https://eid.example.org/cb',
    scopes: ['events:read'],
  } as const
  await asPerson(place(), developer.email, async page => {
    const id = await registerThroughForm(page, wishes)
    await asPerson(place(), reviewer.email, async desk => {
      await desk.goto(`/review/apps/${id}`)
      await desk.getByRole('button', { name: 'Reject' }).click()
      // The summary is at the top and has the focus; its link leads to the field.
      await desk.getByRole('alert').getByRole('link', { name: 'Give the owner a reason.' }).waitFor()
      assert.match(await desk.title(), /^Error: /)
      assert.equal(await desk.evaluate('document.activeElement?.getAttribute("role")'), 'alert')
      await desk.getByRole('link', { name: 'Give the owner a reason.' }).click()
      await desk.getByLabel('Reason').fill('Say who runs it.')
      await desk.getByRole('button', { name: 'Reject' }).click()
      await desk.getByText('Eid planner is rejected').waitFor()
      await desk.goto('/review?state=rejected')
      await desk.getByText('Apps that were turned down.').waitFor()
      await desk
        .getByRole('row', { name: /Eid planner/ })
        .getByText('events:read')
        .waitFor()
      await desk.goto(`/review/audit?action=app.rejected&app=${id}`)
      assert.equal((await desk.locator('tbody tr td:last-child').first().textContent())?.trim(), 'Eid planner')
    })
    const refusal = await lastMailTo(database(), developer.email)
    assert.match(refusal.text, /Say who runs it\./)
    await page.goto(refusal.link)
    await page.getByText('Say who runs it.').waitFor()
    await page.getByRole('link', { name: 'Edit and resubmit' }).click()
    await page.getByLabel('Description').fill('Run by the youth group of Masjid Noor.')
    await page.getByRole('button', { name: 'Submit again' }).click()
    await page.getByText('Resubmitted. It is waiting').waitFor()
    await asPerson(place(), reviewer.email, async desk => {
      await desk.goto('/review')
      await desk
        .getByRole('row', { name: /Eid planner/ })
        .getByText('Sent again')
        .waitFor()
      await desk.getByRole('link', { name: 'Eid planner' }).click()
      await desk.getByRole('heading', { name: 'What changed since the last decision' }).waitFor()
      assert.match((await desk.locator('ins').textContent()) ?? '', /youth group/)
      assert.match((await desk.locator('del').textContent()) ?? '', /times of prayer/)
      await desk.getByRole('button', { name: 'Approve' }).click()
      await desk.getByText('Eid planner is approved').waitFor()
    })
    assert.match((await lastMailTo(database(), developer.email)).subject, /is approved/)
    await page.getByRole('link', { name: 'History' }).click()
    for (const word of ['Registered', 'Rejected', 'Sent again', 'Approved'])
      await page.locator('.story').getByText(word, { exact: true }).first().waitFor()
  })
})

test('an app is approved for some masjids only, searched by name', { skip: noBrowser }, async () => {
  const reviewer = await makeUser(database(), { isReviewer: true })
  const [chosen, own] = [await insertMasjid('noor', 'Masjid an-Noor'), await insertMasjid('huda', 'Masjid al-Huda')]
  await insertMasjid('other', 'Another place')
  const id = await makePendingApp(database(), { name: 'Local app', scopes: ['members:read'] })
  await asPerson(place(), reviewer.email, async page => {
    await page.goto(`/review/apps/${id}`)
    await page.getByRole('radio', { name: 'Only these masjids' }).check()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('alert').getByText('Choose at least one masjid').waitFor()
    await page.getByLabel('Find masjids').fill('masjid')
    await page.getByRole('button', { name: 'Find' }).click()
    assert.equal(await page.getByRole('checkbox', { name: /Another place/ }).count(), 0)
    await page
      .getByRole('group', { name: 'Chosen masjids' })
      .getByLabel(/an-Noor/)
      .check()
    await page.getByRole('radio', { name: 'Of the masjids ticked below' }).check()
    await page
      .getByRole('group', { name: 'Its own app of' })
      .getByLabel(/al-Huda/)
      .check()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Local app is approved').waitFor()
  })
  const rows = await database().query(
    sql`select masjid_id, is_own from minaret.app_masjids where app_id = ${id} order by is_own`,
  )
  assert.deepEqual(rows, [
    { masjid_id: chosen, is_own: false },
    { masjid_id: own, is_own: true },
  ])
  assert.equal((await findApp(database(), id))?.allMasjids, false)
})

test('one of two concurrent reviewers decides, and the other is told so', { skip: noBrowser }, async () => {
  const [first, second] = [
    await makeUser(database(), { isReviewer: true }),
    await makeUser(database(), { isReviewer: true }),
  ]
  const id = await makePendingApp(database(), { name: 'Disputed app' })
  await asPerson(place(), first.email, async one => {
    await asPerson(place(), second.email, async other => {
      await one.goto(`/review/apps/${id}`)
      await other.goto(`/review/apps/${id}`)
      await other.getByLabel('Reason').fill('I think not.')
      await Promise.all([
        one.getByRole('button', { name: 'Approve' }).click(),
        other.getByRole('button', { name: 'Reject' }).click(),
      ])
      const told = [one, other].map(page => page.getByText('decided, edited or withdrawn in the meantime').count())
      assert.equal(
        (await Promise.all(told)).reduce((sum, count) => sum + count, 0),
        1,
      )
    })
  })
  const moves = await database().query(sql`select to_state from minaret.app_moves where app_id = ${id}`)
  assert.equal(moves.length, 2)
})

test('a change is requested, shown as a diff, approved with fewer scopes, and only then takes effect', {
  skip: noBrowser,
}, async () => {
  const developer = await makeUser(database())
  const reviewer = await makeUser(database(), { isReviewer: true })
  const { id } = await makeApp(database(), { ownerId: developer.id, name: 'Growing app', scopes: ['masjid:read'] })
  await asPerson(place(), developer.email, async page => {
    await page.goto(`/console/apps/${id}/edit`)
    await page.getByRole('button', { name: 'Request the change' }).click()
    await page.getByText('Nothing would change.').waitFor()
    await page.getByRole('checkbox', { name: 'events:read' }).check()
    await page.getByRole('checkbox', { name: 'members:read' }).check()
    await page.getByLabel('Why is the change needed?').fill('Events are next.')
    await page.getByRole('button', { name: 'Request the change' }).click()
    await page.getByText('Your change is waiting for review').waitFor()
  })
  assert.deepEqual((await findApp(database(), id))?.scopes, ['masjid:read'])
  await asPerson(place(), reviewer.email, async page => {
    await page.goto('/review')
    await page
      .getByRole('row', { name: /Growing app/ })
      .getByText('Change')
      .waitFor()
    await page
      .getByRole('row', { name: /Growing app/ })
      .getByText('events:read')
      .waitFor()
    await page.getByRole('link', { name: 'Growing app' }).click()
    await page.getByText('Events are next.').waitFor()
    await page.getByRole('checkbox', { name: 'members:read' }).uncheck()
    await page.getByRole('button', { name: 'Approve the change' }).click()
    await page.getByText('The change of Growing app is approved').waitFor()
  })
  assert.deepEqual((await findApp(database(), id))?.scopes, ['masjid:read', 'events:read'])
})

test('a reviewer suspends with a reason, and the owner cannot resume the app', { skip: noBrowser }, async () => {
  const developer = await makeUser(database())
  const reviewer = await makeUser(database(), { isReviewer: true })
  const { id } = await makeApp(database(), { ownerId: developer.id, name: 'Careless app' })
  await asPerson(place(), reviewer.email, async page => {
    await page.goto(`/review/apps/${id}`)
    await page.getByRole('link', { name: 'Suspend now' }).click()
    await page.getByLabel('Reason').fill('It sends unwanted mail.')
    await page.getByRole('button', { name: 'Suspend now' }).click()
    await page.getByText('Careless app is suspended').waitFor()
  })
  assert.match((await lastMailTo(database(), developer.email)).text, /unwanted mail/)
  await asPerson(place(), developer.email, async page => {
    await page.goto(`/console/apps/${id}/settings`)
    await page.getByText('A reviewer suspended the app').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Start the app again' }).count(), 0)
  })
})
