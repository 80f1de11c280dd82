// A masjid with everything its public page shows, and requests for the page.
import { sql } from '../../src/db/sql.ts'
import { type Masjid, makeMasjid } from '../staff/use-staff.ts'
import { insertEvent } from '../support/events.ts'
import { insertRule } from '../support/iqamah.ts'
import type { TestMasjid } from '../support/masjids.ts'
import type { TestMinaret } from '../support/minaret.ts'
import { untilSettled } from '../support/settled.ts'

export interface AnnouncementWishes {
  readonly title: string
  readonly body?: string
  readonly arabic?: string
  readonly kind?: string
  readonly urgent?: boolean
  readonly shownOn?: string
  readonly starts?: string
  readonly ends?: string | null
}

/** `starts` and `ends` are intervals from now. */
export const announce = async ({ service }: TestMinaret, masjid: Masjid, wishes: AnnouncementWishes): Promise<void> => {
  const { title, body, arabic, kind = 'general', urgent = false, shownOn = '{screen,page,apps}' } = wishes
  const texts = JSON.stringify({
    en: { title, ...(body === undefined ? {} : { body }) },
    ...(arabic === undefined ? {} : { ar: { title: arabic } }),
  })
  const janazah = kind === 'janazah'
  await service.database.run(sql`
    insert into public.up_announcements (masjid_id, kind, texts, urgent, shown_on, starts_at, ends_at, deceased_name, janazah_on, janazah_after)
    values (${masjid.id}, ${kind}::public.up_announcement_kind, ${texts}::jsonb, ${urgent}, ${shownOn}::public.up_announcement_place[],
      now() + ${wishes.starts ?? '-1 hour'}::interval, now() + ${wishes.ends ?? null}::interval,
      ${janazah ? 'Ahmad Saleh' : null}, case when ${janazah}::boolean then current_date end,
      case when ${janazah}::boolean then 'dhuhr'::public.pc_prayer end)`)
}

/** Six rules, two sessions of Jumu'ah, an event each week, facilities and contact. */
export const makeShownMasjid = async (
  minaret: TestMinaret,
  given: TestMasjid & { readonly verified?: boolean } = {},
): Promise<Masjid> => {
  const { database } = minaret.service
  const masjid = await makeMasjid(database, given)
  await database.run(sql`
    update public.up_masjids set name_ar = 'مسجد زهرة الوادي', facilities = '{wudu,parking,women_space}', languages = '{en,ar,ur}',
      phone = '+1 919 555 0101', email = 'office@example.org', website = 'https://larkspur.example.org/',
      verification = ${given.verified === false ? 'unverified' : 'verified'}::public.up_verification, verified_at = now()
    where id = ${masjid.id}`)
  for (const prayer of ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'])
    await insertRule(database, masjid.id, { prayer, rule: 'rounded_offset', offset_minutes: 10, round_to: 15 })
  for (const [session, fixed_time] of [
    [1, '13:15'],
    [2, '14:15'],
  ] as const)
    await insertRule(database, masjid.id, { prayer: 'jumuah', session, rule: 'fixed', fixed_time, khutbah_minutes: 25 })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await insertEvent(database, masjid.id, {
    title: 'Tafsir halaqah',
    starts_local: `${tomorrow} 19:30`,
    rrule: 'FREQ=WEEKLY',
    ...(given.timezone === undefined ? {} : { timezone: given.timezone }),
  })
  await untilSettled(database)
  return masjid
}

export const getPage = (minaret: TestMinaret, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(minaret.baseUrl + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } })

export const textOf = async (
  minaret: TestMinaret,
  path: string,
  headers: Record<string, string> = {},
): Promise<string> => {
  const response = await getPage(minaret, path, headers)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.text()
}

/** Attribute values are written with numbers for some letters. */
const decoded = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

export const linksOf = (page: string): string[] =>
  [...page.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => decoded(href))

/** The content of a `meta` element. */
export const metaOf = (page: string, name: string): string | undefined => {
  const found = new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(page)?.[1]
  return found === undefined ? undefined : decoded(found)
}
