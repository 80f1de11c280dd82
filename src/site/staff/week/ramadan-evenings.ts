// The times of Ramadan, from the evening before its first day on → when the first Taraweeh is, and whether any comes before Isha.
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { dateWords } from '../../hall/date-words.ts'
import { comesAt, type PrayerTime } from '../../hall/prayer-time.ts'
import { fill, fillCount } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { byDate } from './read-times.ts'

interface Evening {
  readonly isha: PrayerTime
  readonly taraweeh: PrayerTime
}

const eveningsOf = (times: readonly PrayerTime[]): readonly Evening[] =>
  [...byDate(times).values()].flatMap(ofDay => {
    const [isha, taraweeh] = (['isha', 'taraweeh'] as const).map(asked =>
      ofDay.find(({ prayer, session }) => prayer === asked && session === 1),
    )
    return isha === undefined || taraweeh === undefined ? [] : [{ isha, taraweeh }]
  })

/** Where Isha is of a published timetable, for instance, and Taraweeh by a rule. */
const isEarly = ({ isha, taraweeh }: Evening): boolean => comesAt(taraweeh) < comesAt(isha)

/** The night belongs to the day that follows it: Taraweeh begins before the first day. */
export const eveningWords = (view: View, times: readonly PrayerTime[]): Html | false => {
  const { week } = view.texts
  const evenings = eveningsOf(times)
  const [first] = evenings
  if (first === undefined) return false
  const early = evenings.filter(isEarly).length
  return html`<p>${fill(week.firstTaraweeh, {
    date: dateWords(view.language, first.taraweeh.date),
    time: clockWords(view.language, first.taraweeh.iqamah_local),
    isha: clockWords(view.language, comesAt(first.isha)),
  })}</p>${early > 0 && notice({ tone: 'warn', text: fillCount(view.language, week.earlyTaraweeh, early) })}`
}
