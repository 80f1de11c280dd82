// A NUL in an address, which PostgreSQL takes for no text at all, is an address of nothing; a message of what nobody can see is none.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeMasjid, makeStaff, visitAs } from '../staff/use-staff.ts'
import { makePendingApp, makeUser } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { hiddenFieldsOf } from '../support/person.ts'

describe('what cannot be seen', () => {
  const minaret = useMinaret()

  test('in an address is not found', async () => {
    const { database } = minaret().service
    const masjid = await makeMasjid(database)
    const person = await visitAs(minaret(), await makeStaff(database, { masjid, role: 'admin' }))
    const token = hiddenFieldsOf((await person.get('/account')).text, '/account/profile')
    const paths = ['/staff/%00/people', `/staff/${masjid.slug}/people/%00`, '/console/apps/%00', '/m/a%00']
    for (const path of paths) assert.equal((await person.get(path)).status, 404, path)
    for (const path of ['/staff/%00/times/drafts/1/remove', '/console/apps/%00/delete'])
      assert.equal((await person.post(path, token)).status, 404, path)
    const { status } = await fetch(`${minaret().sandboxUrl}/v1/masjids/%00/events.csv`)
    assert.equal(status, 404)
  })

  test('is no message and no note of a review', async () => {
    const { database } = minaret().service
    const reviewer = await makeUser(database, { isReviewer: true, hashed: false })
    const owner = await makeUser(database, { hashed: false })
    const appId = await makePendingApp(database, { ownerId: owner.id })
    const desk = await visitAs(minaret(), reviewer)
    const page = `/review/apps/${appId}`
    for (const act of ['notes', 'messages'])
      assert.equal((await desk.submit(page, `${page}/${act}`, { body: '\u202e' })).status, 422, act)
    const team = `/console/apps/${appId}/messages`
    assert.equal((await (await visitAs(minaret(), owner)).submit(team, team, { body: ' \u202e ' })).status, 422)
  })
})
