// The library as a plain model in memory: what each mutation should do and answer, without a database.
import type { Writer } from './writers.ts'

export interface Book {
  readonly id: string
  readonly masjid: string
  title: string
  pages: number | null
  version: number
  deleted: boolean
}

interface Review {
  readonly id: string
  readonly masjid: string
  readonly book: string
  stars: number
}

export interface World {
  readonly books: Map<string, Book>
  readonly reviews: Map<string, Review>
}

/** What a mutation answers: data, or the code of its error. */
export type Expected = { readonly data: unknown } | { readonly code: string }

export type Step =
  | {
      readonly kind: 'insert'
      readonly id: string
      readonly masjid: string
      readonly title: string
      readonly stars: readonly number[]
    }
  | {
      readonly kind: 'insertMany'
      readonly rows: readonly { readonly id: string; readonly masjid: string; readonly title: string }[]
    }
  | { readonly kind: 'upsert'; readonly id: string; readonly masjid: string; readonly title: string }
  | { readonly kind: 'update'; readonly id: string; readonly title: string; readonly version: number | undefined }
  | { readonly kind: 'updateMany'; readonly title: string; readonly pages: number; readonly most: number }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'restore'; readonly id: string }
  | { readonly kind: 'removeReview'; readonly number: number }

const shown = ({ id, title, pages, version }: Book) => ({ id, title, pages, version })

const refused: Expected = { code: 'not-permitted' }
const violated: Expected = { code: 'constraint-violation' }

const mayWrite = ({ masjids }: Writer, masjid: string): boolean => masjids === 'all' || masjids.includes(masjid)

const bookOf = (id: string, masjid: string, title: string): Book => ({
  id,
  masjid,
  title,
  pages: null,
  version: 1,
  deleted: false,
})

type Kind<K extends Step['kind']> = Extract<Step, { kind: K }>

const insert = (world: World, writer: Writer, { id, masjid, title, stars }: Kind<'insert'>): Expected => {
  if (!mayWrite(writer, masjid)) return refused
  if (title === '' || world.books.has(id) || new Set(stars).size < stars.length) return violated
  world.books.set(id, bookOf(id, masjid, title))
  stars.forEach((count, index) => {
    world.reviews.set(`${id} ${index}`, { id: `${id} ${index}`, masjid, book: id, stars: count })
  })
  return { data: { affected_rows: 1 + stars.length } }
}

/** All or nothing: the first object that fails decides. */
const insertMany = (world: World, writer: Writer, { rows }: Kind<'insertMany'>): Expected => {
  const added = new Map<string, Book>()
  for (const { id, masjid, title } of rows) {
    if (!mayWrite(writer, masjid)) return refused
    if (title === '' || world.books.has(id) || added.has(id)) return violated
    added.set(id, bookOf(id, masjid, title))
  }
  for (const [id, book] of added) world.books.set(id, book)
  return { data: { affected_rows: rows.length } }
}

const upsert = (world: World, writer: Writer, { id, masjid, title }: Kind<'upsert'>): Expected => {
  if (!mayWrite(writer, masjid)) return refused
  if (title === '') return violated
  const known = world.books.get(id)
  if (known === undefined) {
    world.books.set(id, bookOf(id, masjid, title))
    return { data: { id, title } }
  }
  if (!mayWrite(writer, known.masjid)) return refused
  known.title = title
  known.version += 1
  return { data: { id, title } }
}

const changeable = (world: World, writer: Writer, id: string): Book | undefined => {
  const book = world.books.get(id)
  return book === undefined || book.deleted || !mayWrite(writer, book.masjid) ? undefined : book
}

const update = (world: World, writer: Writer, { id, title, version }: Kind<'update'>): Expected => {
  const book = changeable(world, writer, id)
  if (book === undefined) return { data: null }
  if (version !== undefined && version !== book.version) return { code: 'conflict' }
  if (title === '') return violated
  book.title = title
  book.version += 1
  return { data: shown(book) }
}

const updateMany = (world: World, writer: Writer, { title, pages, most }: Kind<'updateMany'>): Expected => {
  const found = [...world.books.values()].filter(
    book => !book.deleted && book.title === title && mayWrite(writer, book.masjid),
  )
  if (found.length > most) return { code: 'too-many-rows' }
  for (const book of found) {
    book.pages = pages
    book.version += 1
  }
  return { data: { affected_rows: found.length } }
}

const remove = (world: World, writer: Writer, { id }: Kind<'remove'>): Expected => {
  const book = changeable(world, writer, id)
  if (book === undefined) return { data: null }
  const before = shown(book)
  book.deleted = true
  book.version += 1
  return { data: before }
}

const restore = (world: World, writer: Writer, { id }: Kind<'restore'>): Expected => {
  const book = world.books.get(id)
  if (book === undefined || !book.deleted || !mayWrite(writer, book.masjid)) return { data: null }
  book.deleted = false
  book.version += 1
  return { data: shown(book) }
}

const removeReviews = (world: World, writer: Writer, { number }: Kind<'removeReview'>): Expected => {
  const found = [...world.reviews.values()].filter(({ stars, masjid }) => stars === number && mayWrite(writer, masjid))
  for (const { id } of found) world.reviews.delete(id)
  return { data: { affected_rows: found.length } }
}

/** Changes the world as the mutation would, and says what it answers. */
export const apply = (world: World, writer: Writer, step: Step): Expected => {
  switch (step.kind) {
    case 'insert':
      return insert(world, writer, step)
    case 'insertMany':
      return insertMany(world, writer, step)
    case 'upsert':
      return upsert(world, writer, step)
    case 'update':
      return update(world, writer, step)
    case 'updateMany':
      return updateMany(world, writer, step)
    case 'remove':
      return remove(world, writer, step)
    case 'restore':
      return restore(world, writer, step)
    case 'removeReview':
      return removeReviews(world, writer, step)
  }
}
