// Lists that show their masjids: a change somewhere else leaves the answer, unless it brings a masjid into the list.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { masjidId } from '../graphql/fixture.ts'
import { within } from '../support/oauth.ts'
import { useKept } from './use-kept.ts'

const { api, bodyOf, isHit, staysThrough, untilKept, run } = useKept()

/** The city of masjids 3, 6, 9 and 12, of which the last is deleted; 1 and 2 are elsewhere. */
const CITY = 'Raleigh'
const BY_CITY = `{ up_masjids(where: {city: {_eq: "${CITY}"}}, limit: 20, order_by: {id: asc}) { id name events(limit: 9, order_by: {id: asc}) { title } } }`
const idsOf = async (query: string): Promise<string[]> =>
  (await bodyOf(api().post({ query }))).data.up_masjids.map(({ id }: { id: string }) => id)

const setCity = (number: number, city: string) =>
  run(`update up_masjids set city = '${city}' where id = '${masjidId(number)}'`)

const insertAt = (number: number, city: string) =>
  run(`insert into up_masjids (id, slug, name, address, city, country, latitude, longitude, timezone)
    values ('${masjidId(number)}', 'masjid-${number}', 'New', '1 Street', '${city}', 'US', 35, -78, 'America/New_York')`)

describe('a list of masjids by city', () => {
  test('stays when masjids elsewhere change, come and go, and their events', async () => {
    const remove = `delete from up_masjids where id = '${masjidId(51)}'`
    await staysThrough(
      BY_CITY,
      `update up_masjids set name = name || '.' where id = '${masjidId(1)}'`,
      `update up_events set title = title || '.' where masjid_id = '${masjidId(1)}'`,
      () => run(remove).then(() => insertAt(51, 'Elsewhere')),
      remove,
      () => setCity(1, 'raleigh'),
    )
  })

  test('changes with its masjids and with their events', async () => {
    await untilKept(BY_CITY)
    await run(`update up_masjids set name = 'Of the city' where id = '${masjidId(3)}'`)
    assert.match(await (await api().post({ query: BY_CITY })).text(), /Of the city/)
    await untilKept(BY_CITY)
    await run(`update up_events set title = 'In the city' where masjid_id = '${masjidId(3)}'`)
    assert.match(await (await api().post({ query: BY_CITY })).text(), /In the city/)
  })

  test('changes when a masjid moves into the city, is founded there, leaves it or is deleted', async () => {
    await untilKept(BY_CITY)
    const before = await idsOf(BY_CITY)
    await setCity(2, CITY)
    assert.deepEqual(await idsOf(BY_CITY), [masjidId(2), ...before])
    await untilKept(BY_CITY)
    await setCity(2, 'Elsewhere')
    assert.deepEqual(await idsOf(BY_CITY), before)
    await untilKept(BY_CITY)
    await insertAt(52, CITY)
    assert.deepEqual(await idsOf(BY_CITY), [...before, masjidId(52)])
    await untilKept(BY_CITY)
    await run(`delete from up_masjids where id = '${masjidId(52)}'`)
    assert.deepEqual(await idsOf(BY_CITY), before)
  })

  test('changes when an event moves to one of its masjids', async () => {
    await untilKept(BY_CITY)
    await run(`update up_events set masjid_id = '${masjidId(3)}', title = 'Came here'
      where id = (select id from up_events where masjid_id = '${masjidId(1)}' limit 1)`)
    assert.match(await (await api().post({ query: BY_CITY })).text(), /Came here/)
  })

  test('changes when a masjid that moves away makes room within the limit, or one moves in before the others', async () => {
    const first = BY_CITY.replace('limit: 20', 'limit: 2')
    await untilKept(first)
    const [one = '', two = ''] = await idsOf(first)
    await setCity(1, CITY)
    assert.deepEqual(await idsOf(first), [masjidId(1), one])
    await untilKept(first)
    await setCity(1, 'Elsewhere')
    assert.deepEqual(await idsOf(first), [one, two])
  })

  test('changes with many changes at once', async () => {
    await staysThrough(BY_CITY, `update up_masjids set capacity = 77 where city <> '${CITY}'`)
    await run(`update up_masjids set city = '${CITY}', capacity = 78 where capacity = 77`)
    assert.ok((await idsOf(BY_CITY)).length > 8)
    await run(`update up_masjids set city = 'Elsewhere' where capacity = 78`)
  })

  test('is empty and stays so until a masjid comes', async () => {
    const empty = BY_CITY.replace(CITY, 'Farville')
    await staysThrough(
      empty,
      () => setCity(1, 'Somewhere'),
      `update up_events set title = title || '!' where masjid_id = '${masjidId(1)}'`,
    )
    await setCity(1, 'Farville')
    assert.deepEqual(await idsOf(empty), [masjidId(1)])
    await setCity(1, 'Elsewhere')
  })

  test('stays with more conditions, and with two lists in one answer', async () => {
    const both = `{ a: up_masjids(where: {city: {_eq: "${CITY}"}, state: {_eq: "NC"}}) { id } b: up_masjids(where: {_and: [{city: {_eq: "Farville"}}]}) { id } }`
    await staysThrough(both, `update up_masjids set name = name || '.' where id = '${masjidId(1)}'`)
    await setCity(1, 'Farville')
    assert.deepEqual((await bodyOf(api().post({ query: both }))).data.b, [{ id: masjidId(1) }])
    await setCity(1, 'Elsewhere')
  })
})

describe('a list of events that shows their masjids', () => {
  const events = '{ up_events(order_by: {id: asc}, limit: 2) { id masjid_id masjid { name } } }'
  test('stays when another masjid changes, and changes when there is another event', async () => {
    await staysThrough(events, `update up_masjids set name = name || '.' where id = '${masjidId(11)}'`)
    await run(`update up_masjids set name = name || '.' where id = '${masjidId(2)}'`)
    assert.equal(await isHit(events), false)
    await untilKept(events)
    await run(`update up_events set title = title || '.' where masjid_id = '${masjidId(11)}'`)
    assert.equal(await isHit(events), false)
  })
})

describe('any change of masjids may matter', () => {
  const where = `where: {city: {_eq: "${CITY}"}}`
  for (const [why, query] of Object.entries({
    'if the list does not show them': `{ up_masjids(${where}) { name events(limit: 9) { title } } }`,
    'if it skips some': `{ up_masjids(${where}, order_by: {id: asc}, offset: 1) { id } }`,
    'if it has every city': '{ up_masjids(order_by: {id: asc}) { id } }',
    'if another condition would do too': `{ up_masjids(where: {_or: [{city: {_eq: "${CITY}"}}, {name: {_like: "X%"}}]}) { id } }`,
    'if the condition is the opposite': `{ up_masjids(where: {_not: {city: {_eq: "${CITY}"}}}) { id } }`,
    'if they are counted as well': `{ up_masjids(${where}) { id } up_masjids_aggregate { aggregate { count } } }`,
    'if others decide about the order': `{ up_masjids(${where}, order_by: {events_aggregate: {count: asc}}) { id } }`,
  }))
    test(why, async () => {
      await untilKept(query)
      await run(`update up_masjids set name = name || '.' where id = '${masjidId(2)}'`)
      await run(`update up_events set title = title || '.' where masjid_id = '${masjidId(2)}'`)
      assert.equal(await isHit(query), false)
    })
})

test('where letters of either case are equal, a change of case leaves nothing unnoticed', async () => {
  const query = '{ up_places(where: {town: {_eq: "Cary"}}) { masjid_id town } }'
  await run(`create collation public.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`)
  await run(`create table public.up_places (masjid_id uuid primary key references up_masjids,
    town text collate public.any_case not null)`)
  await run(`comment on table up_places is E'@scope masjid:read\\nPlaces.'`)
  await run(`insert into up_places values ('${masjidId(1)}', 'Durham')`)
  await within(60_000, 'the table is there', async () => (await bodyOf(api().post({ query }))).errors === undefined)
  await untilKept(query)
  await run(`update up_places set town = 'CARY'`)
  const { data } = await bodyOf(api().post({ query }))
  assert.deepEqual(data.up_places, [{ masjid_id: masjidId(1), town: 'CARY' }])
})
