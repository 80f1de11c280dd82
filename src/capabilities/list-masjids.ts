// A search, a state of verification, and where the last page ended → masjids for administrators, those that nobody has checked first.
import { searchedMasjids } from '../apps/searched-masjids.ts'
import { NIL_UUID, UUID_PATTERN } from '../base/uuid.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type Verification, verifications } from './verify-masjid.ts'

export interface ListedMasjid {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly city: string
  readonly country: string
  readonly verification: Verification
  readonly verifiedAt: Date | null
}

export interface ListedPage {
  readonly masjids: readonly ListedMasjid[]
  /** Where the next page begins; undefined: there is none. */
  readonly next: string | undefined
}

export interface MasjidWish {
  readonly words: string
  readonly verification: Verification | undefined
  /** `next` of the page before; the first page if it makes no sense. */
  readonly after: string
}

const MASJIDS_PER_PAGE = 25
/** A search ranks, and nobody looks beyond that. */
const MOST_FOUND = 100

const columns = sql`id, slug, name, city, country, verification, verified_at as "verifiedAt"`

interface Place {
  readonly isVerified: boolean
  readonly name: string
  readonly id: string
}

const start: Place = { isVerified: false, name: '', id: NIL_UUID }
const keyPattern = new RegExp(`^([uv])(${UUID_PATTERN.slice(1, -1)})(.{1,300})$`, 'u')

/** What the last one was when the page was shown: verifying it moves nothing else to another page. */
const writeKey = ({ verification, id, name }: ListedMasjid): string =>
  `${verification === 'verified' ? 'v' : 'u'}${id}${name}`

const readKey = (text: string): Place => {
  const [, state, id, name] = keyPattern.exec(text) ?? []
  return id === undefined || name === undefined ? start : { isVerified: state === 'v', id, name }
}

/** From where on each state is read: those that are verified follow all others. */
const beginnings = ({ verification, after }: MasjidWish): (readonly [Verification, Place])[] => {
  const place = readKey(after)
  return verifications
    .filter(state => (verification ?? state) === state && (state === 'verified' || !place.isVerified))
    .map(state => [state, (state === 'verified') === place.isVerified ? place : start])
}

/** Each state is a part of the index, of which a page is read. */
const listed = (wish: MasjidWish): Sql => {
  const begin = beginnings(wish)
  return sql`
    select page.* from unnest(${begin.map(([state]) => state)}::public.up_verification[], ${begin.map(([, { name }]) => name)}::text[],
      ${begin.map(([, { id }]) => id)}::uuid[]) begin (state, name, id)
    cross join lateral (
      select ${columns} from public.up_masjids masjid
      where deleted_at is null and verification = begin.state and (masjid.name, masjid.id) > (begin.name, begin.id)
      order by masjid.name, masjid.id limit ${MASJIDS_PER_PAGE + 1}
    ) page
    order by verification = 'verified', name, id limit ${MASJIDS_PER_PAGE + 1}`
}

const found = ({ words, verification }: MasjidWish): Sql => sql`
  select ${columns} from (${searchedMasjids(words)}) masjid
  where verification = coalesce(${verification ?? null}, verification)
  order by place limit ${MOST_FOUND}`

export const listMasjids = async (queryable: Queryable, wish: MasjidWish): Promise<ListedPage> => {
  if (wish.words.trim() !== '') return { masjids: await queryable.query(found(wish)), next: undefined }
  const rows = await queryable.query<ListedMasjid>(listed(wish))
  const masjids = rows.slice(0, MASJIDS_PER_PAGE)
  const last = masjids.at(-1)
  return { masjids, next: rows.length > masjids.length && last !== undefined ? writeKey(last) : undefined }
}
