// Every page and form of the staff area, as the service registers them: whoever looks after nothing at a masjid finds none of them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { staffRoutes } from '../../staff/staff-routes.ts'
import { makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson } from '../../support/oauth.ts'
import { createPerson, hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'

/** Not found, or a form that takes another kind of body and reads none of this one. */
const isNotFound = ({ status }: Shown): boolean => status === 404 || status === 415

interface Route {
  readonly method: string
  readonly path: string
}

const routesAt = async (slug: string): Promise<Route[]> =>
  (await staffRoutes()).map(({ method, url }) => ({
    method,
    path: url.replace(':slug', slug).replaceAll(/:\w+/g, () => randomUUID()),
  }))

describe('every page and form of the staff area', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  const tokenOf = async (person: Person): Promise<Record<string, string>> =>
    hiddenFieldsOf((await person.get('/account')).text, '/account/profile')

  const tryAll = async (
    slug: string,
    person: Person,
    token: Record<string, string>,
    isRefused: (shown: Shown) => boolean,
  ): Promise<void> => {
    const routes = await routesAt(slug)
    assert.ok(routes.filter(({ method }) => method === 'POST').length > 14 && routes.length > 25, `${routes.length}`)
    for (const { method, path } of routes) {
      const shown = await (method === 'GET' ? person.get(path) : person.post(path, token))
      assert.ok(isRefused(shown), `${method} ${path}: ${shown.status} ${shown.location}`)
    }
  }

  test('is not found by members, strangers and the people of another masjid', async () => {
    const [masjid, other] = [await makeMasjid(database()), await makeMasjid(database())]
    const users = [
      await makeStaff(database(), { masjid }),
      await makeStaff(database(), { masjid: other, role: 'admin' }),
      await makePerson(database()),
    ]
    for (const user of users) {
      const person = await visitAs(minaret(), user)
      await tryAll(masjid.slug, person, await tokenOf(person), isNotFound)
    }
  })

  test('is not found by somebody who was dismissed while signed in', async () => {
    const masjid = await makeMasjid(database())
    const user = await makeStaff(database(), { masjid, role: 'admin' })
    await makeStaff(database(), { masjid, role: 'admin' })
    const person = await visitAs(minaret(), user)
    assert.equal((await person.get(`/staff/${masjid.slug}`)).status, 200)
    await database().run(sql`update public.ua_members set status = 'inactive' where user_id = ${user.id}`)
    await tryAll(masjid.slug, person, await tokenOf(person), isNotFound)
  })

  test('asks whoever is not signed in to do so', async () => {
    const masjid = await makeMasjid(database())
    const person = createPerson(minaret().baseUrl)
    await tryAll(masjid.slug, person, {}, ({ location }) => location === '/sign-in')
  })

  test('is not found for a masjid that was deleted', async () => {
    const masjid = await makeMasjid(database())
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))
    await database().run(sql`update public.up_masjids set deleted_at = now() where id = ${masjid.id}`)
    await tryAll(masjid.slug, person, await tokenOf(person), isNotFound)
  })
})
