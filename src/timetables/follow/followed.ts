// Followed sources in the database: how each is read, when it was, and what went wrong.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Validators } from '../fetch-sheet.ts'
import type { Reading, Role } from '../read/roles.ts'

/** As confirmed by a person, with what the columns looked like then. */
interface ConfirmedReading extends Reading {
  readonly guessed: readonly Role[]
}

export interface FollowedSource {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly lastAttemptAt: Date | null
  readonly lastSuccessAt: Date | null
  readonly failure: string | null
  readonly status: number | null
  /** It took too long to read, again and again: only a person has it read once more. */
  readonly isSwitchedOff: boolean
  /** What it gave last, if somebody has to look at it. */
  readonly draftId: string | null
}

export interface DueSource extends Validators {
  readonly id: string
  readonly masjidId: string
  readonly timezone: string
  readonly name: string
  readonly address: string
  readonly reading: ConfirmedReading
  readonly hash: string | null
}

const HOURS_BETWEEN = 6

export const listFollowed = (queryable: Queryable, masjidId: string): Promise<FollowedSource[]> =>
  queryable.query<FollowedSource>(sql`
    select source.id, source.label as name, source.url as address, source.last_attempt_at as "lastAttemptAt",
      source.last_success_at as "lastSuccessAt", followed.failure, followed.failure_status as status,
      followed.next_attempt_at = 'infinity' as "isSwitchedOff",
      (select draft.id from public.timetable_drafts draft where draft.source_id = source.id order by created_at desc limit 1) as "draftId"
    from public.followed_sources followed join public.pc_prayer_sources source on source.id = followed.source_id
    where source.masjid_id = ${masjidId} and source.deleted_at is null order by source.label, source.id`)

/** The next free number: which of two sources wins is decided by the order of publication. */
export const nextPriority = async (queryable: Queryable, masjidId: string): Promise<number> => {
  const row = await queryable.first<{ free: number }>(sql`
    select min(number) as free from generate_series(0, 100) number
    where not exists (select from public.pc_prayer_sources where masjid_id = ${masjidId} and priority = number)`)
  return row?.free ?? 100
}

export interface NewFollowing {
  readonly sourceId: string
  readonly reading: ConfirmedReading
  readonly hash: string | null
}

export const follow = async (queryable: Queryable, { sourceId, reading, hash }: NewFollowing): Promise<void> => {
  await queryable.run(sql`
    insert into public.followed_sources (source_id, reading, content_hash, next_attempt_at)
    values (${sourceId}, ${JSON.stringify(reading)}, ${hash}, now() + make_interval(hours => ${HOURS_BETWEEN}))
    on conflict (source_id) do update set reading = excluded.reading, failure = null, failure_status = null, attempts = 0, costly = 0`)
  await queryable.run(sql`
    update public.pc_prayer_sources set last_attempt_at = now(), last_success_at = now() where id = ${sourceId}`)
  await queryable.run(sql`delete from public.timetable_drafts where source_id = ${sourceId}`)
}

/** Of the masjid only. */
export const fetchSoon = (queryable: Queryable, masjidId: string, sourceId: string): Promise<number> =>
  queryable.run(sql`
    update public.followed_sources set next_attempt_at = now()
    where source_id::text = ${sourceId} and exists (
      select from public.pc_prayer_sources where id = source_id and masjid_id = ${masjidId} and deleted_at is null)`)

/** Claimed for ten minutes, far longer than a fetch may take: if the process dies, another one takes over after that. */
export const claimDue = (queryable: Queryable, most: number, only: string | null = null): Promise<DueSource[]> =>
  queryable.query<DueSource>(sql`
    update public.followed_sources followed set next_attempt_at = now() + interval '10 minutes'
    from public.pc_prayer_sources source join public.up_masjids masjid on masjid.id = source.masjid_id
    where source.id = followed.source_id and followed.source_id = any (array(
        select due.source_id from public.followed_sources due
        join public.pc_prayer_sources alive on alive.id = due.source_id and alive.deleted_at is null
        where due.next_attempt_at <= now() and (${only}::uuid is null or due.source_id = ${only}::uuid)
        order by due.next_attempt_at limit ${most} for update of due skip locked))
    returning source.id, source.masjid_id as "masjidId", masjid.timezone, source.label as name, source.url as address,
      followed.reading, followed.etag, followed.last_modified as "lastModified", followed.content_hash as hash`)

export interface Success extends Validators {
  readonly hash: string | null
}

export const noteSuccess = async (
  queryable: Queryable,
  { id }: Pick<DueSource, 'id'>,
  success: Success,
): Promise<void> => {
  await queryable.run(sql`
    update public.followed_sources set etag = ${success.etag}, last_modified = ${success.lastModified},
      content_hash = ${success.hash}, failure = null, failure_status = null, attempts = 0, costly = 0,
      next_attempt_at = now() + make_interval(hours => ${HOURS_BETWEEN})
    where source_id = ${id}`)
  await queryable.run(sql`
    update public.pc_prayer_sources set last_attempt_at = now(), last_success_at = now() where id = ${id}`)
}

/** How often a source may take too long to read. */
const MOST_COSTLY = 3

/**
 * Ever later: a quarter of an hour, then twice as long each time, up to a day. What took too long three times is not
 * read by itself again.
 */
export const noteFailure = async (
  queryable: Queryable,
  { id }: Pick<DueSource, 'id'>,
  { reason, status }: { readonly reason: string; readonly status?: number | undefined },
): Promise<void> => {
  const isCostly = reason === 'too_costly'
  await queryable.run(sql`
    update public.followed_sources set failure = ${reason}, failure_status = ${status ?? null}, attempts = attempts + 1,
      costly = case when ${isCostly} then costly + 1 else costly end,
      next_attempt_at = case when ${isCostly} and costly + 1 >= ${MOST_COSTLY} then 'infinity'
        else now() + least(interval '15 minutes' * power(2, least(attempts, 7)), interval '1 day') end
    where source_id = ${id}`)
  await queryable.run(sql`update public.pc_prayer_sources set last_attempt_at = now() where id = ${id}`)
}
