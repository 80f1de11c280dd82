// Names of months and weekdays in English, Arabic (both sets of month names), Turkish, Urdu, French and Indonesian.
import { plainText } from './plain-words.ts'

const monthNames: readonly string[] = [
  'january jan ocak oca janvier janv januari يناير جانفي جنوری',
  'february feb şubat sub février fevr fev februari فبراير فيفري شباط فروری',
  'march mar mart mars maret مارس آذار مارچ',
  'april apr nisan nis avril avr أبريل أفريل نيسان اپریل ابريل',
  'may mayıs mai mei مايو ماي أيار مئی',
  'june jun haziran haz juin juni يونيو جوان حزيران جون',
  'july jul temmuz tem juillet juil juli يوليو جويلية تموز جولائی',
  'august aug ağustos agu août aout agustus agt agu أغسطس أوت آب اگست',
  'september sep sept eylül eyl septembre سبتمبر أيلول ستمبر',
  'october oct ekim eki octobre oktober okt أكتوبر اکتوبر',
  'november nov kasım kas novembre nopember نوفمبر نومبر',
  'december dec aralık ara décembre desember des ديسمبر دسمبر',
]

/** Levantine names of two words. */
const longMonths: readonly (readonly [string, number])[] = [
  ['كانون الثاني', 1],
  ['تشرين الاول', 10],
  ['تشرين الثاني', 11],
  ['كانون الاول', 12],
]

const weekdayNames: readonly string[] = [
  'monday mon pazartesi pzt lundi lun senin sen الاثنين اثنين الإثنين پیر',
  'tuesday tue tues salı mardi selasa sel الثلاثاء ثلاثاء منگل',
  'wednesday wed çarşamba car mercredi mer rabu rab الأربعاء اربعاء بدھ',
  'thursday thu thur thurs perşembe per jeudi jeu kamis kam الخميس خميس جمعرات',
  'friday fri cuma vendredi ven jumat jum الجمعة جمعة جمعہ',
  'saturday sat cumartesi cmt samedi sam sabtu sab السبت سبت ہفتہ',
  'sunday sun pazar paz dimanche dim minggu min ahad الأحد احد اتوار',
]

const numbered = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.flatMap((list, index) => list.split(' ').map(name => [plainText(name), index + 1] as const)))

const months = numbered(monthNames)
const weekdays = numbered(weekdayNames)

/** 1 to 12. */
export const monthOf = (words: readonly string[]): number | undefined => {
  const text = words.join(' ')
  const long = longMonths.find(([name]) => text.includes(plainText(name)))
  return long?.[1] ?? words.map(word => months.get(word)).find(month => month !== undefined)
}

/** ISO: 1 (Monday) to 7. */
export const weekdayOf = (words: readonly string[]): number | undefined =>
  words.map(word => weekdays.get(word)).find(day => day !== undefined)

const fillers = new Set(['st', 'nd', 'rd', 'th', 'er', 'of', 'de', 'the', 'كانون', 'تشرين', 'الاول', 'الثاني'])

/** Whether nothing but a date is said. */
export const isDateWord = (word: string): boolean =>
  /^\d+$/.test(word) || months.has(word) || weekdays.has(word) || fillers.has(word)
