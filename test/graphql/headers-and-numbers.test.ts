import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { within } from '../support/oauth.ts'
import { useApi } from './use-api.ts'

const api = useApi()

describe('deprecated columns', () => {
  test('are announced in the headers of responses that used them, wherever they used them', async () => {
    const { database } = api().minaret.service
    await database.run(
      rawSql(
        `comment on column public.up_masjids.phone is E'@deprecated 2026-11-01 Use contacts.\\nTelephone number.'`,
      ),
    )
    const ask = (query: string) => api().post({ query })
    const isAnnounced = async () => (await ask('{ up_masjids { phone } }')).headers.get('sunset') !== null
    await within(60_000, 'the deprecation is announced', isAnnounced)
    for (const query of [
      '{ up_masjids { phone } }',
      '{ up_masjids(where: {phone: {_is_null: true}}) { id } }',
      '{ up_masjids(order_by: {phone: asc}) { id } }',
      '{ up_masjids_aggregate { aggregate { max { phone } } } }',
      '{ up_masjids_aggregate { aggregate { count(columns: [phone]) } } }',
    ]) {
      const { headers } = await ask(query)
      assert.equal(headers.get('deprecation'), `@${Date.UTC(2026, 10, 1) / 1000}`, query)
      assert.equal(headers.get('sunset'), 'Sat, 01 May 2027 00:00:00 GMT', query)
    }
    assert.equal((await ask('{ up_masjids { id } }')).headers.get('deprecation'), null)
    const { data } = (await (
      await ask(
        '{ __type(name: "up_masjids") { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } }',
      )
    ).json()) as {
      data: { __type: { fields: { name: string; isDeprecated: boolean; deprecationReason: string }[] } }
    }
    const phone = data.__type.fields.find(({ name }) => name === 'phone')
    assert.deepEqual(phone, { name: 'phone', isDeprecated: true, deprecationReason: 'Use contacts.' })
  })
})

describe('notes', () => {
  test('aggregates over people say why they may be null', async () => {
    const ask = async (query: string) =>
      (await (await api().post({ query })).json()) as { extensions?: { notes: string[] } }
    assert.match(
      (await ask('{ ua_members_aggregate { aggregate { count } } }')).extensions?.notes[0] ?? '',
      /fewer than 5 people/,
    )
    assert.equal((await ask('{ up_masjids_aggregate { aggregate { count } } }')).extensions, undefined)
  })
})

describe('big numbers', () => {
  test('keep all their digits in both directions', async () => {
    const { database } = api().minaret.service
    await database.run(
      rawSql(`create table public.up_numbers (id bigint primary key, exact numeric, doc jsonb);
      insert into public.up_numbers values (9007199254740993, 12345678901234567890.123456789, '{"n": 9007199254740993}'), (1, 2, '{}')`),
    )
    const query = 'query ($id: bigint!) { up_numbers_by_pk(id: $id) { id exact doc } }'
    const send = async (variables: string) =>
      (await api().post(`{"query":${JSON.stringify(query)},"variables":${variables}}`)).text()
    await within(60_000, 'the table is shown', async () => !/errors/.test(await send('{"id":1}')))
    for (const id of ['9007199254740993', '"9007199254740993"']) {
      const text = await send(`{"id":${id}}`)
      assert.match(text, /"id":9007199254740993,"exact":12345678901234567890.123456789/)
      assert.match(text, /"n": ?9007199254740993/)
    }
    const literal = await api().post({
      query:
        '{ up_numbers(where: {id: {_in: [9007199254740993]}, exact: {_eq: 12345678901234567890.123456789}}) { id } }',
    })
    assert.match(await literal.text(), /9007199254740993/)
    const inJson = await api().post(
      `{"query":"query ($d: jsonb) { up_numbers(where: {doc: {_contains: $d}}) { id } }","variables":{"d":{"n":9007199254740993}}}`,
    )
    assert.match(await inJson.text(), /\[\{"id":9007199254740993\}\]/)
    const refused = await api().post(
      `{"query":"query ($n: Int) { up_masjids(limit: $n) { id } __schema { queryType { name } } }","variables":{"n":9007199254740993}}`,
    )
    assert.match(await refused.text(), /bad-variables/)
  })
})
