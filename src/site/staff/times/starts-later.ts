// A timetable that begins on a later day → when, and what people pray by until then.
import { addDays } from '../../../base/civil-date.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { Queryable } from '../../../db/database.ts'
import { type GivenTimes, type Holding, readHoldings } from '../../../timetables/store/given-times.ts'
import type { View } from '../../frame/view.ts'
import { nameOf } from '../../hall/prayer-time.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { ruleWords } from '../week/rule-words.ts'
import { nearDay } from './day-words.ts'

export interface LaterStart {
  readonly today: string
  readonly first: string
  /** Until the day before. */
  readonly holdings: readonly Holding[]
}

type Slot = Pick<Holding, 'prayer' | 'session'>

const sameSlot = (one: Slot, other: Slot): boolean => one.prayer === other.prayer && one.session === other.session

/** Undefined if it begins today or earlier. */
export const readLaterStart = async (
  queryable: Queryable,
  { id }: Pick<StaffedMasjid, 'id'>,
  { today, first, slots }: { readonly today: string; readonly first: string; readonly slots: readonly Slot[] },
): Promise<LaterStart | undefined> => {
  if (first <= today) return undefined
  const holdings = await readHoldings(queryable, { masjidId: id, from: today, to: addDays(first, -1) })
  return { today, first, holdings: holdings.filter(one => slots.some(slot => sameSlot(slot, one))) }
}

/** The published timetables that begin later, by their ids. */
export const readLaterStarts = async (
  queryable: Queryable,
  masjid: Pick<StaffedMasjid, 'id'>,
  { today, given }: { readonly today: string; readonly given: readonly GivenTimes[] },
): Promise<ReadonlyMap<string, LaterStart & { readonly name: string }>> => {
  const later = [...Map.groupBy(given, ({ id }) => id)].flatMap(([id, slots]) => {
    const [earliest] = slots.toSorted((one, other) => one.first.localeCompare(other.first))
    return earliest !== undefined && earliest.first > today ? [{ ...earliest, id, slots }] : []
  })
  const starts = await Promise.all(
    later.map(async ({ id, name, first, slots }) => {
      const start = await readLaterStart(queryable, masjid, { today, first, slots })
      return start === undefined ? [] : [[id, { ...start, name }] as const]
    }),
  )
  return new Map(starts.flat())
}

const holdingWords = (view: View, { timetable, hasRule, ...rule }: Holding): string => {
  const { staffTimes } = view.texts
  if (timetable !== null) return fillText(staffTimes.ofTimetable, { name: timetable })
  return hasRule ? ruleWords(view, rule) : staffTimes.noIqamah
}

/** One after another: "A until 30 November, then B". Those that alternate, by weekday for instance, beside each other. */
const slotWords = (view: View, { today }: LaterStart, holdings: readonly Holding[]): string => {
  const { listComma, holdingThen } = view.texts.staffTimes
  const joined = (words: string, index: number): string => {
    const [before, after] = [holdings[index], holdings[index + 1]]
    if (before === undefined || after === undefined) return words
    const own = holdingWords(view, before)
    if (after.first <= before.last) return `${own}${listComma}${words}`
    return fillText(holdingThen, { holding: own, last: nearDay(view, before.last, today), next: words })
  }
  const [last] = holdings.slice(-1)
  return holdings.reduceRight(
    (words, _, index) => joined(words, index),
    last === undefined ? '' : holdingWords(view, last),
  )
}

const allHoldings = (view: View, start: LaterStart): Html => {
  const { listComma, listSemicolon, holdingOf } = view.texts.staffTimes
  const slots = [...Map.groupBy(start.holdings, ({ prayer, session }) => `${prayer} ${session}`).values()]
  const said = slots.map(holdings => ({
    name: holdings[0] === undefined ? '' : nameOf(view.texts, holdings[0]),
    words: slotWords(view, start, holdings),
  }))
  const groups = [...Map.groupBy(said, ({ words }) => words)]
  if (groups.length === 1) return html`<bdi>${groups[0]?.[0]}</bdi>`
  return html`${groups.map(
    ([words, ones], index) =>
      html`${index > 0 && listSemicolon}${fill(holdingOf, { prayers: ones.map(({ name }) => name).join(listComma), holding: words })}`,
  )}`
}

/** @param name of the timetable; left out where the page is about this one. */
export const startsLater = (view: View, start: LaterStart, name?: string): Html => {
  const { staffTimes: texts } = view.texts
  const values = { name: name ?? '', first: nearDay(view, start.first, start.today) }
  if (start.holdings.length === 0) return fill(name === undefined ? texts.starts : texts.namedStarts, values)
  const sentence = name === undefined ? texts.startsUntilThen : texts.namedStartsUntilThen
  return fill(sentence, { ...values, holding: allHoldings(view, start) })
}
