// urql without React: an upsert, a dry run and a refusal, with variables.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client, fetchExchange } from '@urql/core'
import { tryUpsert, upsertEvent } from './mutation-documents.ts'
import { ELSEWHERE, HERE, newEvent, useEventsApp } from './use-events-app.ts'

const app = useEventsApp()

/** As urql is set up by default: queries by GET, mutations by POST. */
const send = (document: string, event: object) => {
  const { endpoint: url, headers } = app()
  return new Client({ url, exchanges: [fetchExchange], fetchOptions: { headers } }).mutation(document, { event })
}

const stored = (id: string) => app().rows(`select title from up_events where id = '${id}'`)

test('upserts an event: inserts it first, then renames it', async () => {
  const id = randomUUID()
  for (const title of ['Seerah evening', 'Seerah night']) {
    const { data, error } = await send(upsertEvent, { ...newEvent(title), id })
    assert.equal(error, undefined)
    assert.deepEqual(data.insert_up_events_one, { id, title, masjid: { id: HERE } })
    assert.deepEqual(await stored(id), [{ title }])
  }
})

test('a dry run answers what would be written, and writes nothing', async () => {
  const id = randomUUID()
  const { data, extensions } = await send(tryUpsert, { ...newEvent('Rehearsal'), id })
  assert.deepEqual(data.insert_up_events_one, { id, title: 'Rehearsal', masjid: { id: HERE } })
  assert.equal(extensions?.dry_run, true)
  assert.deepEqual(await stored(id), [])
})

test('shows our error for another masjid', async () => {
  const id = randomUUID()
  const { error } = await send(upsertEvent, { ...newEvent('Trespass'), id, masjid_id: ELSEWHERE })
  assert.match(error?.message ?? '', /is not yours to write/)
  assert.deepEqual(
    error?.graphQLErrors.map(({ path, extensions }) => [path, extensions.code]),
    [[['insert_up_events_one', 'object'], 'not-permitted']],
  )
  assert.deepEqual(await stored(id), [])
})
