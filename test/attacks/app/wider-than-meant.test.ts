// A client's slip must not write more than was meant: a value that got lost, a header in another form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HERE, useWriting } from '../../graphql/write/use-writing.ts'

const writing = useWriting({}, async ({ rows }) => {
  await rows(
    `insert into up_lib_authors (masjid_id, name) select '${HERE}', 'Author ' || n from generate_series(1, 3) n returning id`,
  )
  await rows(`insert into up_lib_books (masjid_id, title) values ('${HERE}', 'Book') returning id`)
})

const count = async (): Promise<number> =>
  Number((await writing().rows('select count(*) from up_lib_authors'))[0].count)

const refused = async (query: string, variables: Record<string, unknown>): Promise<string> => {
  const before = await count()
  const { message, extensions } = await writing().error(query, { variables })
  assert.equal(extensions.code, 'validation-failed', message)
  assert.equal(await count(), before)
  return message
}

test('a variable that was left out of a filter does not make it match every row', async () => {
  const one = 'mutation ($id: uuid) { delete_up_lib_authors(where: {id: {_eq: $id}}) { affected_rows } }'
  assert.match(await refused(one, {}), /"\$id" was not given/)
  const list =
    'mutation ($ids: [uuid!]) { delete_up_lib_authors(where: {_and: [{id: {_in: $ids}}]}) { affected_rows } }'
  assert.match(await refused(list, {}), /"\$ids" was not given/)
  const update =
    'mutation ($id: uuid) { update_up_lib_authors(where: {id: {_eq: $id}}, _set: {rating: 1}) { affected_rows } }'
  assert.match(await refused(update, {}), /"\$id" was not given/)
  const many = `mutation ($id: uuid) {
    update_up_lib_authors_many(updates: [{where: {id: {_eq: $id}}, _set: {rating: 1}}]) { affected_rows } }`
  assert.match(await refused(many, {}), /"\$id" was not given/)
  const conflict = `mutation ($rating: Int) { insert_up_lib_authors(objects: [{masjid_id: "${HERE}", name: "Author 1"}],
    on_conflict: {constraint: up_lib_authors_lower_name, update_columns: [name], where: {rating: {_gt: $rating}}}) { affected_rows } }`
  assert.match(await refused(conflict, {}), /"\$rating" was not given/)
})

test('a condition that compares with nothing is refused; an empty filter as a whole is not', async () => {
  const remove = `mutation ($where: up_lib_authors_bool_exp!) @dry_run {
    delete_up_lib_authors(where: $where) { affected_rows } }`
  for (const where of [
    { id: {} },
    { _and: [{}] },
    { _or: [{ id: {} }] },
    { _not: {} },
    { _and: [] },
    { masjid: { id: {} } },
  ])
    assert.match(await refused(remove, { where }), /is empty in a filter/, JSON.stringify(where))
  const { delete_up_lib_authors: all } = await writing().data(remove, { variables: { where: {} } })
  assert.equal(all.affected_rows, await count())
  const some = { name: { _eq: 'Author 1' }, details: { _contains: {} }, masjid: {} }
  assert.equal((await writing().data(remove, { variables: { where: some } })).delete_up_lib_authors.affected_rows, 1)
})

test('conditions on related rows are about the row that is written, not about the related one', async () => {
  const { rows, data } = writing()
  const [{ id }] = await rows(`insert into up_lib_authors (masjid_id, name) values ('${HERE}', 'Writer') returning id`)
  await rows(
    `insert into up_lib_books (masjid_id, title, author_id) values ('${HERE}', 'Written', '${id}') returning id`,
  )
  const rated = async (): Promise<unknown> => rows('select name from up_lib_authors where rating = 5 order by name')
  const rate = (where: string) =>
    data(`mutation { update_up_lib_authors(where: ${where}, _set: {rating: 5}) { affected_rows } }`)
  await rate('{lib_books: {title: {_eq: "Written"}}}')
  assert.deepEqual(await rated(), [{ name: 'Writer' }])
  await data(`mutation { update_up_lib_authors(where: {}, _set: {rating: 1}) { affected_rows } }`)
  await rate('{name: {_neq: "Author 1"}, _not: {lib_books: {}}, masjid: {slug: {_eq: "masjid-1"}}}')
  assert.deepEqual(await rated(), [{ name: 'Author 2' }, { name: 'Author 3' }])
  const left = await data(
    `mutation @dry_run { delete_up_lib_authors(where: {_not: {lib_books: {title: {_neq: ""}}}}) { returning { name } } }`,
  )
  assert.ok(!JSON.stringify(left).includes('Writer'), JSON.stringify(left))
})

test('if_version without a value is refused, not ignored', async () => {
  const [{ id }] = await writing().rows('select id from up_lib_books')
  const update = `mutation ($id: uuid!, $version: bigint) {
    update_up_lib_books_by_pk(pk_columns: {id: $id}, _set: {title: "Other"}, if_version: $version) { title } }`
  const remove = `mutation ($id: uuid!, $version: bigint) { delete_up_lib_books_by_pk(id: $id, if_version: $version) { title } }`
  for (const query of [update, remove])
    for (const variables of [{ id }, { id, version: null }])
      assert.match(await refused(query, variables), /if_version has no value/)
})

test('a header for a dry run in another form is refused, and nothing is written', async () => {
  const insert = `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Tried"}) { id } }`
  for (const value of ['true', 'yes', '1, 1', 'on', '']) {
    const { status, body } = await writing().send(insert, { headers: { 'x-minaret-dry-run': value } })
    assert.equal(status, 400, value)
    assert.match(body.errors?.[0]?.message ?? '', /X-Minaret-Dry-Run must be 1 or 0/)
  }
  await writing().data(insert, { headers: { 'x-minaret-dry-run': '1' } })
  assert.deepEqual(await writing().rows(`select from up_lib_authors where name = 'Tried'`), [])
  await writing().data(insert, { headers: { 'x-minaret-dry-run': '0' } })
  assert.equal((await writing().rows(`select from up_lib_authors where name = 'Tried'`)).length, 1)
})
