import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ELSEWHERE, HERE, useWriting } from './use-writing.ts'

const writing = useWriting()

test('insert_one inserts a row and returns it, with defaults of the database and relationships', async () => {
  const { insert_up_lib_authors_one: author } = await writing().data(
    `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Amina"}) {
       __typename id name rating balance details nicknames masjid { id } } }`,
  )
  const { id, ...rest } = author
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, {
    __typename: 'up_lib_authors',
    name: 'Amina',
    rating: 3,
    balance: 0,
    details: {},
    nicknames: [],
    masjid: { id: HERE },
  })
})

test('update_by_pk changes the row with this key and returns it; null if there is none', async () => {
  const {
    insert_up_lib_authors_one: { id },
  } = await writing().data(
    `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Omar"}) { id } }`,
  )
  const update = `mutation ($id: uuid!, $name: String) {
    update_up_lib_authors_by_pk(pk_columns: {id: $id}, _set: {name: $name}) { id name } }`
  assert.deepEqual(await writing().data(update, { variables: { id, name: 'Umar' } }), {
    update_up_lib_authors_by_pk: { id, name: 'Umar' },
  })
  assert.deepEqual(await writing().data(update, { variables: { id: HERE, name: 'Umar' } }), {
    update_up_lib_authors_by_pk: null,
  })
})

test('delete_by_pk deletes the row and returns it as it was', async () => {
  const {
    insert_up_lib_authors_one: { id },
  } = await writing().data(
    `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Yusuf"}) { id } }`,
  )
  const remove = `mutation { delete_up_lib_authors_by_pk(id: "${id}") { name masjid { id } } }`
  assert.deepEqual(await writing().data(remove), {
    delete_up_lib_authors_by_pk: { name: 'Yusuf', masjid: { id: HERE } },
  })
  assert.deepEqual(await writing().data(remove), { delete_up_lib_authors_by_pk: null })
})

test('a row of another masjid is refused without a word about whose it is', async () => {
  const { path, extensions } = await writing().error(
    `mutation { insert_up_lib_authors_one(object: {masjid_id: "${ELSEWHERE}", name: "Amina"}) { id } }`,
  )
  assert.deepEqual(path, ['insert_up_lib_authors_one', 'object'])
  assert.deepEqual(extensions, { code: 'not-permitted', rule: 'not-yours' })
})
