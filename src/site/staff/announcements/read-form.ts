// The form of an announcement as typed → values of the API, or which fields are wrong. Times are the masjid's clock.
import { isDate } from '../../../base/civil-date.ts'
import { instantOf, localDateAt, localTimeAt } from '../../../base/local-time.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { fillText } from '../../pieces/fill.ts'
import { textsFor } from '../../texts/texts.ts'
import { notOffered } from '../not-offered.ts'
import {
  type Announcement,
  type AnnouncementKind,
  type AnnouncementText,
  announcementKinds,
  announcementPlaces,
  janazahPrayers,
} from './announcement.ts'

export interface TypedText {
  readonly language: string
  readonly title: string
  readonly body: string
}

export interface AnnouncementForm {
  readonly kind: string
  readonly texts: readonly TypedText[]
  /** In a language that is none: it is named by nothing, or by something else. */
  readonly other: TypedText
  readonly urgent: boolean
  readonly shownOn: readonly string[]
  /** Local times without a zone; empty: from now on, and until somebody ends it. */
  readonly from: string
  readonly until: string
  readonly name: string
  readonly day: string
  /** A prayer, or `time`. */
  readonly after: string
  readonly time: string
  readonly place: string
  readonly burial: string
  /** The one that the form was made from; empty for a new announcement. */
  readonly version: string
}

export const titleField = (language: string): string => `title_${language}`
export const bodyField = (language: string): string => `body_${language}`

/** For a language that the masjid has not named. */
export const OTHER = 'other'
const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/
const MOST_LANGUAGES = 12

const noOther: TypedText = { language: '', title: '', body: '' }

const readOther = (form: FormValues): TypedText => ({
  language: form.text('other_language'),
  title: form.text(titleField(OTHER)),
  body: form.text(bodyField(OTHER)),
})

const readTexts = (form: FormValues): TypedText[] => {
  const named = form.list('language').filter(tag => LANGUAGE_TAG.test(tag))
  const typed = (language: string, from = language): TypedText => ({
    language,
    title: form.text(titleField(from)),
    body: form.text(bodyField(from)),
  })
  const { language } = readOther(form)
  const added = LANGUAGE_TAG.test(language) && !named.includes(language) ? [typed(language, OTHER)] : []
  return [...[...new Set(named)].slice(0, MOST_LANGUAGES).map(tag => typed(tag)), ...added]
}

export const readForm = (form: FormValues): AnnouncementForm => ({
  kind: form.text('kind') || 'general',
  texts: readTexts(form),
  other: LANGUAGE_TAG.test(form.text('other_language')) ? noOther : readOther(form),
  urgent: form.text('urgent') !== '',
  shownOn: form.list('shown_on'),
  from: form.text('from'),
  until: form.text('until'),
  name: form.text('name'),
  day: form.text('day'),
  after: form.text('after'),
  time: form.text('time'),
  place: form.text('place'),
  burial: form.text('burial'),
  version: form.text('version'),
})

const DAY_MS = 86_400_000

export const emptyForm = (
  { kind, languages, timezone }: { kind: AnnouncementKind; languages: readonly string[]; timezone: string },
  now: Date,
): AnnouncementForm => ({
  kind,
  texts: languages.map(language => ({ language, title: '', body: '' })),
  other: noOther,
  urgent: kind === 'janazah',
  shownOn: announcementPlaces,
  from: '',
  until: kind === 'janazah' ? '' : `${localDateAt(new Date(now.getTime() + 7 * DAY_MS), timezone)}T23:00`,
  name: '',
  day: localDateAt(now, timezone),
  after: 'dhuhr',
  time: '',
  place: '',
  burial: '',
  version: '',
})

/** As fields show it. */
const minutesAt = (moment: string, timezone: string): string => localTimeAt(new Date(moment), timezone).slice(0, 16)

/** Languages that have no text yet are offered too. */
export const formOf = (
  announcement: Announcement,
  { languages, timezone }: { readonly languages: readonly string[]; readonly timezone: string },
): AnnouncementForm => {
  const { texts, starts_at, ends_at } = announcement
  return {
    kind: announcement.kind,
    texts: [...new Set([...Object.keys(texts), ...languages])].map(language => ({
      language,
      title: texts[language]?.title ?? '',
      body: texts[language]?.body ?? '',
    })),
    other: noOther,
    urgent: announcement.urgent,
    shownOn: announcement.shown_on,
    from: minutesAt(starts_at, timezone),
    until: ends_at === null ? '' : minutesAt(ends_at, timezone),
    name: announcement.deceased_name ?? '',
    day: announcement.janazah_on ?? '',
    after: announcement.janazah_after ?? 'time',
    time: announcement.janazah_time?.slice(0, 5) ?? '',
    place: announcement.janazah_place ?? '',
    burial: announcement.burial_place ?? '',
    version: String(announcement.version),
  }
}

type AnnouncementFault =
  | 'titleMissing'
  | 'titleTooLong'
  | 'bodyTooLong'
  | 'nowhere'
  | 'noTime'
  | 'endsTooEarly'
  | 'nameMissing'
  | 'nameTooLong'
  | 'dayMissing'
  | 'timeMissing'
  | 'placeTooLong'
  | 'notOffered'
/** By the id of the field. */
export type AnnouncementFaults = Readonly<Record<string, AnnouncementFault>>

type Values = Omit<Announcement, 'id' | 'version'>
export type Checked = { readonly values: Values } | { readonly faults: AnnouncementFaults }

const MOST = { title: 200, body: 5000, name: 200, place: 300 }

const checkTexts = ({ kind, texts }: AnnouncementForm): AnnouncementFaults => {
  const faults: Record<string, AnnouncementFault> = {}
  for (const { language, title, body } of texts) {
    if (title.length > MOST.title) faults[titleField(language)] = 'titleTooLong'
    if (body.length > MOST.body) faults[bodyField(language)] = 'bodyTooLong'
    if (kind !== 'janazah' && title === '' && body !== '') faults[titleField(language)] = 'titleMissing'
  }
  const first = texts[0]?.language ?? 'en'
  if (kind !== 'janazah' && texts.every(({ title }) => title === '')) faults[titleField(first)] = 'titleMissing'
  return faults
}

type Stored = Pick<Announcement, 'starts_at' | 'ends_at'> & Partial<Announcement>

/** A janazah that follows no prayer has a time. */
const checkChoices = (form: AnnouncementForm, stored: Stored): AnnouncementFaults => ({
  ...notOffered(form, { kind: ['janazah', ...announcementKinds] }, { ...stored }),
  ...(form.kind === 'janazah' ? notOffered(form, { after: ['', 'time', ...janazahPrayers] }) : {}),
  ...(Object.values(form.other).some(text => text !== '') ? { other_language: 'notOffered' } : {}),
})

const isClock = (text: string): boolean => instantOf(`2026-01-01T${text}`, 'UTC') !== undefined

const checkJanazah = (form: AnnouncementForm): AnnouncementFaults => {
  if (form.kind !== 'janazah') return {}
  const follows = janazahPrayers.some(prayer => prayer === form.after)
  return {
    ...(form.name === '' ? { name: 'nameMissing' } : form.name.length > MOST.name ? { name: 'nameTooLong' } : {}),
    ...(isDate(form.day) ? {} : { day: 'dayMissing' }),
    ...(follows || isClock(form.time) ? {} : { time: 'timeMissing' }),
    ...(form.place.length > MOST.place ? { place: 'placeTooLong' } : {}),
    ...(form.burial.length > MOST.place ? { burial: 'placeTooLong' } : {}),
  }
}

interface Period {
  readonly starts: Date | undefined
  readonly ends: Date | undefined
}

/** What was not changed stays to the second, and in an hour that occurs twice the one of the two that it is. */
const momentOf = (typed: string, timezone: string, stored: string | null): Date | undefined =>
  stored !== null && minutesAt(stored, timezone) === typed ? new Date(stored) : instantOf(typed, timezone)

/** A janazah that names no end is shown until the day is over. */
const periodOf = (form: AnnouncementForm, timezone: string, stored: Stored): Period => {
  const overAt = form.kind === 'janazah' && isDate(form.day) ? `${form.day}T23:59` : ''
  const until = form.until === '' ? overAt : form.until
  return {
    starts: form.from === '' ? new Date(stored.starts_at) : momentOf(form.from, timezone, stored.starts_at),
    ends: until === '' ? undefined : momentOf(until, timezone, stored.ends_at),
  }
}

const checkPeriod = (form: AnnouncementForm, { starts, ends }: Period): AnnouncementFaults => ({
  ...(starts === undefined ? { from: 'noTime' } : {}),
  ...(form.until !== '' && ends === undefined ? { until: 'noTime' } : {}),
  ...(starts && ends && ends <= starts ? { until: 'endsTooEarly' } : {}),
})

const textOf = (title: string, body: string): AnnouncementText => ({
  title: title.replaceAll(/\s+/g, ' '),
  ...(body === '' ? {} : { body }),
})

/** The title of a janazah follows from the name, in English, Arabic and every language that says more. */
const textsOf = ({ kind, texts, name }: AnnouncementForm): Record<string, AnnouncementText> => {
  if (kind !== 'janazah')
    return Object.fromEntries(
      texts.filter(({ title }) => title !== '').map(({ language, title, body }) => [language, textOf(title, body)]),
    )
  const said = new Map(texts.filter(({ body }) => body !== '').map(({ language, body }) => [language, body]))
  const languages = [...new Set(['en', 'ar', ...said.keys()])]
  return Object.fromEntries(
    languages.map(language => {
      const { janazahTitle } = textsFor(language === 'ar' ? 'ar' : 'en').staffAnnouncements
      return [language, textOf(fillText(janazahTitle, { name }).slice(0, MOST.title), said.get(language) ?? '')]
    }),
  )
}

const nothingOfJanazah = {
  deceased_name: null,
  janazah_on: null,
  janazah_after: null,
  janazah_time: null,
  janazah_place: null,
  burial_place: null,
}

const janazahOf = (form: AnnouncementForm): Partial<Values> => {
  const prayer = janazahPrayers.find(name => name === form.after)
  return {
    deceased_name: form.name.replaceAll(/\s+/g, ' '),
    janazah_on: form.day,
    janazah_after: prayer ?? null,
    janazah_time: prayer === undefined ? form.time : null,
    janazah_place: form.place || null,
    burial_place: form.burial || null,
  }
}

/** A new one is stored as one that starts now. */
export const checkForm = (form: AnnouncementForm, timezone: string, stored: Stored): Checked => {
  const period = periodOf(form, timezone, stored)
  const shown_on = announcementPlaces.filter(place => form.shownOn.includes(place))
  const faults: AnnouncementFaults = {
    ...checkChoices(form, stored),
    ...checkJanazah(form),
    ...checkTexts(form),
    ...(shown_on.length === 0 ? { shown_on: 'nowhere' } : {}),
    ...checkPeriod(form, period),
  }
  if (Object.keys(faults).length > 0) return { faults }
  return {
    values: {
      kind: form.kind as AnnouncementKind,
      texts: textsOf(form),
      urgent: form.urgent,
      shown_on,
      starts_at: period.starts?.toISOString() ?? stored.starts_at,
      ends_at: period.ends?.toISOString() ?? null,
      ...nothingOfJanazah,
      ...(form.kind === 'janazah' ? janazahOf(form) : {}),
    },
  }
}
