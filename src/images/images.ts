// Images in the database: which wait to be fetched, and what became of them.
import { sha256 } from '../base/secrets.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { CheckedImage, ImageType } from './check-image.ts'
import type { ImageReason, ImageRefused } from './refused.ts'

export interface WaitingImage {
  readonly address: string
  /** Including the one that was just claimed. */
  readonly attempts: number
}

const MOST_ATTEMPTS = 4

/** Minutes until the next try: 1, 5 and 25. */
const minutesAfter = (attempts: number): number => 5 ** (attempts - 1)

/** The name under which pages show the image at an address. */
export const imageName = (address: string): string => sha256(address).toString('hex')

/** A process that dies during the last try leaves nobody to refuse the image. */
const giveUp = (queryable: Queryable): Promise<number> =>
  queryable.run(sql`
    update minaret.images set state = 'refused', reason = coalesce(reason, 'unreachable')
    where state = 'waiting' and try_at <= now() and attempts >= ${MOST_ATTEMPTS}`)

/** Claimed for ten minutes, far longer than a fetch may take: if the process dies, another one takes over after that. */
export const claimImages = async (queryable: Queryable, most: number): Promise<WaitingImage[]> => {
  await giveUp(queryable)
  return queryable.query<WaitingImage>(sql`
    update minaret.images set attempts = attempts + 1, try_at = now() + interval '10 minutes'
    where address_hash = any (array(
      select address_hash from minaret.images
      where state = 'waiting' and try_at <= now() and attempts < ${MOST_ATTEMPTS}
      order by try_at limit ${most} for update skip locked))
    returning address, attempts`)
}

/** The number of attempts tells a claim from a later one, which a process that was very slow must not overwrite. */
const stillOurs = ({ address, attempts }: WaitingImage) =>
  sql`address_hash = ${sha256(address)} and state = 'waiting' and attempts = ${attempts}`

export const keepImage = (queryable: Queryable, image: WaitingImage, { type, content }: CheckedImage) =>
  queryable.run(sql`
    update minaret.images
    set state = 'fetched', content = ${content}, content_type = ${type}, reason = null, status = null
    where ${stillOurs(image)}`)

const tryLater = (queryable: Queryable, image: WaitingImage, { reason, status }: ImageRefused): Promise<number> =>
  queryable.run(sql`
    update minaret.images
    set reason = ${reason}, status = ${status}, try_at = now() + make_interval(mins => ${minutesAfter(image.attempts)})
    where ${stillOurs(image)}`)

/** Its owner may ask again, after a minute. */
const refuse = (queryable: Queryable, image: WaitingImage, { reason, status }: ImageRefused): Promise<number> =>
  queryable.run(sql`
    update minaret.images
    set state = 'refused', reason = ${reason}, status = ${status}, try_at = now() + interval '1 minute'
    where ${stillOurs(image)}`)

/** A host that may be down for a moment is tried again, a few times and ever later. */
export const refuseImage = (queryable: Queryable, image: WaitingImage, refused: ImageRefused): Promise<number> =>
  refused.mayPass && image.attempts < MOST_ATTEMPTS
    ? tryLater(queryable, image, refused)
    : refuse(queryable, image, refused)

export interface KeptImage {
  readonly type: ImageType
  readonly content: Buffer
}

export const findImage = (queryable: Queryable, name: string): Promise<KeptImage | undefined> =>
  queryable.first<KeptImage>(sql`
    select content_type as type, content from minaret.images
    where address_hash = ${Buffer.from(name, 'hex')} and state = 'fetched'`)

/** What became of an image, for its owner. */
export interface ImageStatus {
  readonly address: string
  readonly state: 'waiting' | 'fetched' | 'refused'
  /** Of a refusal, or of the last try if there will be another. */
  readonly reason: ImageReason | null
  readonly status: number | null
}

export const findImageStatus = async (
  queryable: Queryable,
  address: string | undefined,
): Promise<ImageStatus | undefined> =>
  address === undefined
    ? undefined
    : queryable.first<ImageStatus>(sql`
        select address, state, reason, status from minaret.images where address_hash = ${sha256(address)}`)
