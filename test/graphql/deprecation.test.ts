// A column that its comment marks as deprecated: deprecated in the schema, and announced in the headers of every response that used it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { within } from '../support/oauth.ts'
import { useApi } from './use-api.ts'

const api = useApi()

const headersOf = async (body: unknown): Promise<[string | null, string | null]> => {
  const response = await api().post(body)
  assert.ok(!('errors' in ((await response.clone().json()) as object)), await response.text())
  return [response.headers.get('deprecation'), response.headers.get('sunset')]
}

const comment = async (text: string, reason: string): Promise<void> => {
  const { database } = api().minaret.service
  await database.run(rawSql(`comment on column up_masjids.website is '${text}'`))
  await within(60_000, 'the schema says so', async () => {
    const query = '{ __type(name: "up_masjids") { fields(includeDeprecated: true) { name deprecationReason } } }'
    const { data } = (await (await api().post({ query })).json()) as {
      data: { __type: { fields: { name: string; deprecationReason: string | null }[] } }
    }
    return data.__type.fields.find(({ name }) => name === 'website')?.deprecationReason === reason
  })
}

const since = Date.UTC(2026, 9, 1)
const expected = [`@${since / 1000}`, 'Thu, 01 Apr 2027 00:00:00 GMT']

test('responses that used a deprecated column have Deprecation and Sunset headers, six months apart; others have neither', async () => {
  await comment('@deprecated 2026-10-01 Use home_page.', 'Use home_page.')
  assert.deepEqual(await headersOf({ query: '{ up_masjids { website } }' }), expected)
  assert.deepEqual(await headersOf({ query: '{ up_masjids(where: {website: {_is_null: true}}) { id } }' }), expected)
  assert.deepEqual(await headersOf({ query: '{ up_masjids(order_by: {website: asc}) { id } }' }), expected)
  assert.deepEqual(await headersOf({ query: '{ up_masjids { id } }' }), [null, null])
})

test('a deprecated column is marked wherever the schema offers it; input fields say so in their description', async () => {
  await comment('@deprecated 2026-10-01 Use home_page.', 'Use home_page.')
  const query = `{
    columns: __type(name: "up_masjids_select_column") { all: enumValues(includeDeprecated: true) { name deprecationReason } }
    keys: __type(name: "up_masjids_group_keys") { all: fields(includeDeprecated: true) { name deprecationReason } }
    where: __type(name: "up_masjids_bool_exp") { all: inputFields { name description } }
    order: __type(name: "up_masjids_order_by") { all: inputFields { name description } } }`
  const { data } = (await (await api().post({ query })).json()) as {
    data: Record<string, { all: { name: string; deprecationReason?: string; description?: string }[] }>
  }
  const marks = Object.entries(data).map(([place, { all }]) => {
    const website = all.find(({ name }) => name === 'website')
    return [place, website?.deprecationReason ?? website?.description]
  })
  assert.deepEqual(Object.fromEntries(marks), {
    columns: 'Use home_page.',
    keys: 'Use home_page.',
    where: 'Deprecated. Use home_page.',
    order: 'Deprecated. Use home_page.',
  })
})

test('a batch has the headers if one of its operations used such a column', async () => {
  await comment('@deprecated 2026-10-01 Use home_page.', 'Use home_page.')
  const [plain, old] = [{ query: '{ up_masjids { id } }' }, { query: '{ up_masjids { website } }' }]
  assert.deepEqual(await headersOf([plain, old]), expected)
  assert.deepEqual(await headersOf([plain, plain]), [null, null])
})

test('without a date the period starts on the day the structure was read', async () => {
  await comment('@deprecated Use another.', 'Use another.')
  const [deprecation, sunset] = await headersOf({ query: '{ up_masjids { website } }' })
  const began = Number(deprecation?.slice(1)) * 1000
  assert.ok(Math.abs(began - Date.now()) < 60_000)
  const days = (Date.parse(String(sunset)) - began) / 86_400_000
  assert.ok(days >= 180, `${days} days`)
})
