// Random sequences of mutations against a plain model in memory, under different grants: compared after each of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rawSql } from '../../../src/db/sql.ts'
import { holds } from '../../support/holds.ts'
import { ELSEWHERE, HERE, useWriting } from './use-writing.ts'

let readerKey = ''
const writing = useWriting({}, async ({ keyWith }) => {
  readerKey = await keyWith(['events:read'])
})

interface Book {
  readonly id: string
  readonly masjid: string
  title: string
  version: number
  deleted: boolean
}

const whos = ['here', 'elsewhere', 'everywhere', 'reader'] as const
type Who = (typeof whos)[number]

const who = fc.constantFrom(...whos)
const title = fc.constantFrom('a', 'b', 'c')
const index = fc.nat({ max: 5 })

const command = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    who,
    masjid: fc.constantFrom(HERE, ELSEWHERE),
    title: fc.constantFrom('a', 'b', ''),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    who,
    index,
    title,
    off: fc.option(fc.constantFrom(0, 0, 1), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('delete' as const), who, index }),
  fc.record({ kind: fc.constant('restore' as const), who, index }),
  fc.record({ kind: fc.constant('many' as const), who, from: title, to: title, most: fc.constantFrom(1, 2, 100) }),
)
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never

const keyOf = (one: Who): string =>
  ({ here: writing().key, elsewhere: writing().otherKey, everywhere: writing().allKey, reader: readerKey })[one]

const mayWrite = (one: Who, masjid: string): boolean =>
  one === 'everywhere' || (one === 'here' && masjid === HERE) || (one === 'elsewhere' && masjid === ELSEWHERE)

const NOBODY = '00000000-0000-4000-8000-00000000dead'

/** What is sent, and what should come of it: data, or the code of an error. The model changes accordingly. */
const expected = (books: Book[], one: Command): { query: string; data?: unknown; code?: string } => {
  const book = 'index' in one ? books[one.index] : undefined
  const mine = book !== undefined && mayWrite(one.who, book.masjid) ? book : undefined
  const id = book?.id ?? NOBODY
  const refused = one.who === 'reader' ? { code: 'insufficient-scope' } : undefined
  switch (one.kind) {
    case 'insert': {
      const query = `mutation { insert_up_lib_books_one(object: {masjid_id: "${one.masjid}", title: "${one.title}"}) { title version } }`
      if (refused !== undefined) return { query, ...refused }
      if (!mayWrite(one.who, one.masjid)) return { query, code: 'not-permitted' }
      if (one.title === '') return { query, code: 'constraint-violation' }
      return { query, data: { insert_up_lib_books_one: { title: one.title, version: 1 } } }
    }
    case 'update': {
      const version = one.off === undefined ? '' : `, if_version: ${(book?.version ?? 1) + one.off}`
      const query = `mutation { update_up_lib_books_by_pk(pk_columns: {id: "${id}"}, _set: {title: "${one.title}"}${version}) { title version } }`
      if (refused !== undefined) return { query, ...refused }
      if (mine === undefined || mine.deleted) return { query, data: { update_up_lib_books_by_pk: null } }
      if (one.off === 1) return { query, code: 'conflict' }
      Object.assign(mine, { title: one.title, version: mine.version + 1 })
      return { query, data: { update_up_lib_books_by_pk: { title: mine.title, version: mine.version } } }
    }
    case 'delete':
    case 'restore': {
      const field = `${one.kind}_up_lib_books_by_pk`
      const query = `mutation { ${field}(id: "${id}") { title } }`
      if (refused !== undefined) return { query, ...refused }
      if (mine === undefined || mine.deleted !== (one.kind === 'restore')) return { query, data: { [field]: null } }
      Object.assign(mine, { deleted: !mine.deleted, version: mine.version + 1 })
      return { query, data: { [field]: { title: mine.title } } }
    }
    case 'many': {
      const query = `mutation { update_up_lib_books(where: {title: {_eq: "${one.from}"}}, _set: {title: "${one.to}"}, max_affected: ${one.most}) { affected_rows } }`
      if (refused !== undefined) return { query, ...refused }
      const hit = books.filter(each => !each.deleted && each.title === one.from && mayWrite(one.who, each.masjid))
      if (hit.length > one.most) return { query, code: 'too-many-rows' }
      for (const each of hit) Object.assign(each, { title: one.to, version: each.version + 1 })
      return { query, data: { update_up_lib_books: { affected_rows: hit.length } } }
    }
  }
}

const stored = (): Promise<Book[]> =>
  writing().rows(
    `select id, masjid_id as masjid, title, version::integer, deleted_at is not null as deleted from up_lib_books order by id`,
  )

const byId = (one: Book, other: Book): number => (one.id < other.id ? -1 : 1)

const run = async (commands: readonly Command[]): Promise<void> => {
  await writing().database.run(rawSql('truncate public.up_lib_books cascade'))
  const books: Book[] = []
  for (const one of commands) {
    const { query, data, code } = expected(books, one)
    const { body } = await writing().send(query, { key: keyOf(one.who) })
    assert.deepEqual([body.data, body.errors?.[0]?.extensions.code], [data, code], query)
    const now = await stored()
    // The id of a new row is the database's choice.
    if (one.kind === 'insert' && code === undefined)
      books.push(...now.filter(({ id }) => !books.some(book => book.id === id)))
    assert.deepEqual(now, [...books].sort(byId), `after ${query}`)
  }
}

test('nothing is written that the grant does not allow, and nothing is lost', async () => {
  await holds(fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), run), { runs: 25 })
})
