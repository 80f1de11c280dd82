// Random mutations by random writers, against a plain model in memory: each answer and, after each, every row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../support/holds.ts'
import { apply, type Book, type Expected, type Step, type World } from './model.ts'
import { mutationFor } from './mutations-of-steps.ts'
import { useWriting } from './use-writing.ts'
import { makeWriters, PLACES, type Writer } from './writers.ts'

let writers: readonly Writer[] = []
const writing = useWriting({}, async ready => {
  writers = await makeWriters(ready)
})

/** Few ids, titles and stars, so that steps meet the same rows. */
const IDS = Array.from({ length: 6 }, (_, index) => `00000000-0000-4000-8000-0000000070${index}0`)
const title = fc.constantFrom('Alif', 'Ba', 'Ta', '')
const id = fc.constantFrom(...IDS)
const masjid = fc.constantFrom(...PLACES)

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    id,
    masjid,
    title,
    stars: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('insertMany' as const),
    rows: fc.array(fc.record({ id, masjid, title }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('upsert' as const), id, masjid, title }),
  fc.record({
    kind: fc.constant('update' as const),
    id,
    title,
    version: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant('updateMany' as const),
    title,
    pages: fc.integer({ min: 1, max: 9 }),
    most: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constant('remove' as const), id }),
  fc.record({ kind: fc.constant('restore' as const), id }),
  fc.record({ kind: fc.constant('removeReview' as const), number: fc.integer({ min: 1, max: 3 }) }),
)

const sequence = fc.array(fc.tuple(fc.nat({ max: 6 }), step), { minLength: 1, maxLength: 14 })

const inModel = ({ books, reviews }: World) => ({
  books: [...books.values()].sort((one, other) => one.id.localeCompare(other.id)),
  reviews: [...reviews.values()].map(({ book, masjid, stars }) => `${book} ${masjid} ${stars}`).sort(),
})

const inDatabase = async () => ({
  books:
    await writing().rows(`select id, masjid_id as masjid, title, pages, version::int, deleted_at is not null as deleted
    from up_lib_books order by id`),
  reviews: (await writing().rows(`select book_id || ' ' || masjid_id || ' ' || stars as line from up_lib_reviews`))
    .map(({ line }) => line)
    .sort(),
})

const answerTo = async (writer: Writer, one: Step): Promise<{ expected: Expected; text: string }> => {
  const { query, variables } = mutationFor(one)
  const { body, text } = await writing().send(query, { variables, key: writer.credential })
  const code = body.errors?.[0]?.extensions.code
  return { expected: code === undefined ? { data: body.data.done } : { code }, text }
}

const audited = async (): Promise<number> => {
  const [row] = await writing().rows(
    `select count(*)::int as count from written_rows where table_name in ('up_lib_books', 'up_lib_reviews')`,
  )
  return row.count
}

/** How many rows a step has changed, by the model before and after it; a raised version alone is no change. */
const rowsChanged = (before: ReturnType<typeof inModel>, after: ReturnType<typeof inModel>): number => {
  const textOf = ({ id, title, pages, deleted }: Book): string => JSON.stringify([id, title, pages, deleted])
  const known = new Set(before.books.map(textOf))
  const books = after.books.filter(book => !known.has(textOf(book))).length
  return books + Math.abs(after.reviews.length - before.reviews.length)
}

test('random mutations by random writers do what a plain model says: nothing is written beyond a grant, nothing is lost', async () => {
  const seen = new Map<string, number>()
  const tried = await holds(
    fc.asyncProperty(sequence, async steps => {
      await writing().rows('delete from up_lib_reviews')
      await writing().rows('delete from up_lib_books')
      const world: World = { books: new Map(), reviews: new Map() }
      for (const [number, one] of steps) {
        const writer = writers[number % writers.length] as Writer
        const [before, noted] = [structuredClone(inModel(world)), await audited()]
        const expected = apply(world, writer, one)
        const { expected: found, text } = await answerTo(writer, one)
        const after = inModel(world)
        const story = `${writer.name}: ${JSON.stringify(one)} answered ${text}`
        assert.deepEqual(found, expected, story)
        assert.deepEqual(await inDatabase(), after, story)
        assert.equal((await audited()) - noted, rowsChanged(before, after), `the audit trail: ${story}`)
        const outcome = `${one.kind} ${'code' in expected ? expected.code : 'done'}`
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
    }),
    { runs: Number(process.env.PROPERTY_RUNS ?? 60) },
  )
  assert.ok(tried > 0)
  assert.ok(seen.size >= 8, `too few kinds of outcomes: ${[...seen.keys()].join()}`)
})
