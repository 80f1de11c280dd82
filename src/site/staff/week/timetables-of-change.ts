// A change that was tried → the published timetables it meets: those whose days it replaces, and the one that begins where it ends.
import { addDays } from '../../../base/civil-date.ts'
import { localDateAt } from '../../../base/local-time.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { Queryable } from '../../../db/database.ts'
import { nameTimetables, readGivenTimes } from '../../../timetables/store/given-times.ts'
import type { Change } from './change-values.ts'
import type { Tried } from './try-change.ts'

interface Met {
  readonly name: string
  readonly publishedOn: string
}

export interface TimetablesOfChange {
  readonly today: string
  readonly replaced: readonly (Met & { readonly days: number })[]
  readonly follows?: (Met & { readonly first: string }) | undefined
}

interface Trial {
  readonly change: Change
  readonly tried: Tried
}

export const timetablesOfChange = async (
  queryable: Queryable,
  { id, timezone }: StaffedMasjid,
  { change: { prayer, session }, tried: { replaces, endsOn } }: Trial,
): Promise<TimetablesOfChange> => {
  const day = (moment: Date): string => localDateAt(moment, timezone)
  const listed = await nameTimetables(queryable, Object.keys(replaces))
  const given = endsOn === null ? [] : await readGivenTimes(queryable, id, addDays(endsOn, 1))
  const next = given.find(times => times.prayer === prayer && times.session === session)
  return {
    today: day(new Date()),
    replaced: listed.map(timetable => ({
      name: timetable.name,
      publishedOn: day(timetable.publishedAt),
      days: replaces[timetable.id] ?? 0,
    })),
    follows: next && { name: next.name, publishedOn: day(next.publishedAt), first: next.first },
  }
}
