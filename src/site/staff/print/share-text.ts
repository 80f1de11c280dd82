// A day's times → a message for WhatsApp: bold between asterisks, one prayer a line.
import type { Language } from '../../../accounts/languages.ts'
import { dateWords, hijriWords, languageWords } from '../../hall/date-words.ts'
import { inOrder, nameOf, type PrayerTime } from '../../hall/prayer-time.ts'
import { textsFor } from '../../texts/texts.ts'
import type { Sheet, SheetDay } from './read-sheet.ts'
import type { SheetOptions } from './sheet-options.ts'
import { sheetClock } from './sheet-words.ts'

/** An asterisk in a name would end the bold. */
const bold = (text: string): string => `*${text.replaceAll('*', '')}*`

const line = (language: Language, options: Pick<SheetOptions, 'clock'>, time: PrayerTime): string => {
  const texts = textsFor(language)
  const clock = (local: string | null): string => sheetClock(language, options, local)
  const parts = [
    time.adhan_local !== null && time.prayer !== 'jumuah' && `${texts.hall.adhan} ${clock(time.adhan_local)}`,
    time.khutbah_local !== null && `${texts.hall.khutbah} ${clock(time.khutbah_local)}`,
    time.iqamah_local !== null && `${texts.hall.iqamah} ${bold(clock(time.iqamah_local))}`,
    time.imam,
    time.language !== null && languageWords(language, time.language),
  ].filter(part => typeof part === 'string')
  return `${nameOf(texts, time)}: ${parts.join(language === 'ar' ? '، ' : ', ')}`
}

export const shareText = (
  language: Language,
  { masjid, day }: { readonly masjid: Sheet['masjid']; readonly day: SheetDay },
  options: Pick<SheetOptions, 'clock'>,
): string => {
  const texts = textsFor(language)
  const name = (language === 'ar' && masjid.nameArabic) || masjid.name
  const [first] = day.times
  return [
    bold(name),
    dateWords(language, day.date, 'full'),
    ...(first === undefined ? [] : [hijriWords(language, texts, first)]),
    '',
    ...inOrder(day.times).map(time => line(language, options, time)),
  ].join('\n')
}
