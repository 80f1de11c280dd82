import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { tidyUp } from '../../../src/apps/housekeeping.ts'
import { rawSql } from '../../../src/db/sql.ts'
import { type Answer, openClient } from '../../support/graphql.ts'
import { HERE, useWriting } from './use-writing.ts'

const writing = useWriting()

const insert = (name: string): string =>
  `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "${name}"}) { id name } }`
const count = async (name: string): Promise<number> =>
  (await writing().rows(`select 1 from up_lib_authors where name = '${name}'`)).length

describe('Idempotency-Key', () => {
  test('the same request with the same key is made once, and answered alike', async () => {
    const headers = { 'idempotency-key': 'first' }
    const answers = [
      await writing().send(insert('Once'), { headers }),
      await writing().send(insert('Once'), { headers }),
    ]
    assert.deepEqual(answers[0]?.body, answers[1]?.body)
    assert.deepEqual(
      answers.map(answer => answer.headers['idempotency-replayed']),
      [undefined, 'true'],
    )
    assert.equal(await count('Once'), 1)
  })

  test('another request with the same key is refused; another app has keys of its own', async () => {
    const headers = { 'idempotency-key': '"second"' }
    await writing().data(insert('Mine'), { headers })
    const reused = await writing().send(insert('Other'), { headers })
    assert.equal(reused.status, 422)
    assert.equal(reused.body.errors?.[0]?.extensions.code, 'idempotency-key-reused')
    await writing().data(insert('Mine too'), { headers, key: writing().allKey })
  })

  test('a key is in use while its request runs', async () => {
    const { database } = writing()
    const headers = { 'idempotency-key': 'third' }
    let first: Promise<unknown> | undefined
    await database.transaction(async transaction => {
      await transaction.run(rawSql('lock table up_lib_authors in exclusive mode'))
      first = writing().send(insert('Slow'), { headers })
      for (;;) {
        const waiting = await database.first(
          rawSql(
            `select 1 from pg_stat_activity where application_name = 'minaret writer' and wait_event_type = 'Lock' and datname = current_database()`,
          ),
        )
        if (waiting !== undefined) break
      }
      const answer = await fetch(`${writing().minaret.baseUrl}/v1/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/graphql-response+json',
          authorization: `Bearer ${writing().key}`,
          ...headers,
        },
        body: JSON.stringify({ query: insert('Slow'), variables: {} }),
      })
      assert.equal(answer.status, 409)
      assert.match(await answer.text(), /"idempotency-key-in-use"/)
    })
    await first
    assert.equal(await count('Slow'), 1)
  })

  test('failures are not stored: the same key can be tried again', async () => {
    const headers = { 'idempotency-key': 'fourth' }
    const query =
      'mutation ($rating: Int, $masjid: uuid!) { insert_up_lib_authors_one(object: {masjid_id: $masjid, name: "Retry", rating: $rating}) { rating } }'
    await writing().error(query, { headers, variables: { rating: 9, masjid: HERE } })
    await writing().data(query, { headers, variables: { rating: 5, masjid: HERE } })
  })

  test('a replay checks the grant again', async () => {
    const headers = { 'idempotency-key': 'fifth' }
    await writing().data(insert('Granted'), { headers })
    const readOnly = await writing().keyWith(['events:read'])
    const refused = await writing().send(insert('Granted'), { headers, key: readOnly })
    assert.equal(refused.body.errors?.[0]?.extensions.code, 'insufficient-scope')
  })

  test('keys of the wrong length, and batches with a key, are refused; queries ignore it', async () => {
    for (const key of ['""', 'x'.repeat(256)]) {
      const refused = await writing().send(insert('Never'), { headers: { 'idempotency-key': key } })
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.extensions.code], [400, 'bad_request'])
    }
    const batch = await writing().send([{ query: insert('Never') }], { headers: { 'idempotency-key': 'sixth' } })
    assert.equal(batch.status, 400)
    const query = await writing().send('{ up_lib_authors { id } }', { headers: { 'idempotency-key': '""' } })
    assert.equal(query.status, 200)
    assert.equal(await count('Never'), 0)
  })

  test('several fields, quotes and line breaks come back as they were', async () => {
    const headers = { 'idempotency-key': 'seventh' }
    const query = `mutation ($name: String!) { a: insert_up_lib_authors(objects: [{masjid_id: "${HERE}", name: $name}]) { affected_rows returning { name } }
       b: update_up_lib_authors_many(updates: [{where: {name: {_eq: $name}}, _set: {rating: 4}}]) { returning { name rating } } __typename }`
    const variables = { name: 'a "quoted" \\ name,\n{with} everything $x' }
    const first = await writing().send(query, { headers, variables })
    assert.equal(first.body.errors, undefined)
    assert.equal((await writing().send(query, { headers, variables })).text, first.text)
  })

  test('housekeeping deletes what is older than a day', async () => {
    const headers = { 'idempotency-key': 'old' }
    await writing().data(insert('Aged'), { headers })
    await writing().database.run(rawSql(`delete from public.up_lib_authors where name = 'Aged'`))
    await writing().database.run(
      rawSql(`update public.idempotent_requests set created_at = now() - interval '25 hours' where key = 'old'`),
    )
    const { headers: sent } = await writing().send(insert('Aged'), { headers })
    assert.equal(sent['idempotency-replayed'], undefined, 'the key is free again')
    await writing().database.run(
      rawSql(`update public.idempotent_requests set created_at = now() - interval '25 hours' where key = 'old'`),
    )
    assert.equal((await tidyUp(writing().database)).idempotent_requests, 1)
  })
})

describe('dry runs', () => {
  const isTried = async (query: string, headers: Record<string, string> = {}) => {
    const answer = await writing().send(query, { headers })
    assert.equal(answer.body.extensions?.dry_run, true, answer.text)
    return answer.body.data
  }

  test('@dry_run and the header run everything and leave nothing', async () => {
    const query = `{ insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Tried"}) { name rating } }`
    const expected = { insert_up_lib_authors_one: { name: 'Tried', rating: 3 } }
    assert.deepEqual(await isTried(`mutation @dry_run ${query}`), expected)
    assert.deepEqual(await isTried(`mutation ${query}`, { 'x-minaret-dry-run': '1' }), expected)
    assert.equal(await count('Tried'), 0)
    const { body } = await writing().send(`mutation ${query}`)
    assert.equal(body.extensions, undefined)
    assert.equal(await count('Tried'), 1)
  })

  test('deferred rules are checked as a commit would', async () => {
    const error = await writing().error(
      `mutation @dry_run { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "Tried", lib_reviews: {data: [
         {masjid_id: "${HERE}", stars: 1}, {masjid_id: "${HERE}", stars: 1}]}}) { id } }`,
    )
    assert.deepEqual(
      [error.extensions.code, error.extensions.constraint],
      ['constraint-violation', 'up_lib_reviews_order_key'],
    )
  })

  test('a dry run stores no answer for its key', async () => {
    const headers = { 'idempotency-key': 'dry' }
    await writing().send(
      `mutation @dry_run { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Dry"}) { name } }`,
      { headers },
    )
    assert.deepEqual(await writing().rows(`select 1 from public.idempotent_requests where key = 'dry'`), [])
  })
})

describe('over HTTP', () => {
  test('a mutation by GET is 405, also as a persisted query', async () => {
    const query = insert('By GET')
    const hash = createHash('sha256').update(query).digest('hex')
    const url = `${writing().minaret.baseUrl}/v1/graphql`
    const headers = { authorization: `Bearer ${writing().key}`, accept: 'application/graphql-response+json' }
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash } })
    await writing().send({ query, extensions: JSON.parse(extensions) })
    for (const parameters of [{ query }, { query, extensions }, { extensions }]) {
      const answer = await fetch(`${url}?${new URLSearchParams(parameters as Record<string, string>)}`, { headers })
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.get('allow'), 'POST')
    }
  })

  test('both transports run mutations, with the headers that change them', async () => {
    const client = openClient(writing().minaret, writing().key)
    for (const [index, transport] of [{}, { 'transfer-encoding': 'chunked' }].entries()) {
      const headers = { ...transport, 'idempotency-key': `transport ${index}` }
      const body = JSON.stringify({ query: insert(`Transport ${index}`) })
      const answers = [await client.send(body, { headers }), await client.send(body, { headers })]
      assert.equal(answers[1]?.text, answers[0]?.text)
      assert.equal(answers[1]?.headers['idempotency-replayed'], 'true')
      const tried = await client.send(JSON.stringify({ query: insert(`Tried ${index}`) }), {
        headers: { ...transport, 'x-minaret-dry-run': '1' },
      })
      assert.match(tried.text, /"dry_run":true/)
      assert.deepEqual([await count(`Transport ${index}`), await count(`Tried ${index}`)], [1, 0])
    }
    client.close()
  })

  test('a transaction that the server certainly rolled back is repeated, and made once', async () => {
    const { database } = writing()
    const blocked = `from pg_stat_activity where application_name = 'minaret writer' and wait_event_type = 'Lock'
      and datname = current_database()`
    let sent: Promise<Answer> | undefined
    await database.transaction(async transaction => {
      await transaction.run(rawSql('lock table up_lib_authors in exclusive mode'))
      sent = writing().send(insert('Repeated'))
      while ((await database.first(rawSql(`select 1 ${blocked}`))) === undefined);
      await database.run(rawSql(`select pg_terminate_backend(pid) ${blocked}`))
    })
    assert.deepEqual((await sent)?.body.errors, undefined)
    assert.equal(await count('Repeated'), 1)
  })

  test('responses are not stored by anyone', async () => {
    const { headers } = await writing().send(insert('Stored'))
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers.etag, undefined)
  })

  test('each operation of a batch is its own transaction, in order', async () => {
    const { body } = await writing().send([
      { query: insert('Batch 1') },
      {
        query: `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Batch 2", rating: 9}) { id } }`,
      },
      { query: '{ up_lib_authors(where: {name: {_like: "Batch %"}}) { name } }' },
    ])
    const [first, second, third] = body as unknown as { data?: unknown; errors?: unknown[] }[]
    assert.ok(first?.data)
    assert.ok(second?.errors)
    assert.deepEqual(third?.data, { up_lib_authors: [{ name: 'Batch 1' }] })
  })
})
