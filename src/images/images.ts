// Images in the database: which wait to be fetched, and what became of them.
import { sha256 } from '../base/secrets.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { CheckedImage, ImageType } from './check-image.ts'

export interface WaitingImage {
  readonly address: string
  readonly attempts: number
}

const ATTEMPTS = 3

/** The name under which pages show the image at an address. */
export const imageName = (address: string): string => sha256(address).toString('hex')

/** Claimed for ten minutes: a process that dies leaves it to the next try. */
export const claimImages = (queryable: Queryable, most: number): Promise<WaitingImage[]> =>
  queryable.query<WaitingImage>(sql`
    update minaret.images set attempts = attempts + 1, try_at = now() + interval '10 minutes'
    where address_hash in (
      select address_hash from minaret.images where state = 'waiting' and try_at <= now()
      order by try_at limit ${most} for update skip locked)
    returning address, attempts`)

export const keepImage = (queryable: Queryable, address: string, { type, content }: CheckedImage): Promise<number> =>
  queryable.run(sql`
    update minaret.images set state = 'fetched', content = ${content}, content_type = ${type}
    where address_hash = ${sha256(address)} and state = 'waiting'`)

export const refuseImage = (
  queryable: Queryable,
  { address, attempts }: WaitingImage,
  { message, mayPass }: { readonly message: string; readonly mayPass: boolean },
): Promise<number> =>
  mayPass && attempts < ATTEMPTS
    ? Promise.resolve(0)
    : queryable.run(sql`
        update minaret.images set state = 'refused', reason = ${message}
        where address_hash = ${sha256(address)} and state = 'waiting'`)

export interface KeptImage {
  readonly type: ImageType
  readonly content: Buffer
}

export const findImage = (queryable: Queryable, name: string): Promise<KeptImage | undefined> =>
  queryable.first<KeptImage>(sql`
    select content_type as type, content from minaret.images
    where address_hash = ${Buffer.from(name, 'hex')} and state = 'fetched'`)
