// A masjid with one of everything, an app in every state, and those who see them: so that few pages of the service stay empty.
import { sql } from '../../src/db/sql.ts'
import { makeEveryPage } from '../console/every-page.ts'
import { makeMasjid, makeStaff, visitAs } from '../staff/use-staff.ts'
import type { TestMinaret } from '../support/minaret.ts'
import { fillDays } from '../support/prayer-times.ts'
import { crawl, type Reached, type Routes } from './crawl-forms.ts'

const all = ['times', 'events', 'announcements', 'people', 'giving', 'screens', 'capabilities'] as const

interface Area {
  /** Of the addresses that are theirs. */
  readonly below: RegExp
  readonly user: Awaited<ReturnType<typeof makeStaff>>
  readonly starts: readonly string[]
}

export interface Actor extends Pick<Area, 'below' | 'user'> {
  readonly reached: Reached
}

export interface Everything {
  readonly masjid: { readonly id: string; readonly slug: string }
  /** The last looks after the masjid, and is asked for whatever is nobody else's. */
  readonly actors: readonly Actor[]
}

const fillMasjid = async ({ service: { database } }: TestMinaret, id: string): Promise<void> => {
  await database.run(sql`
    insert into public.up_announcements (masjid_id, texts, starts_at) values (${id}, '{"en": {"title": "Iftar", "body": "Tonight."}}', now())`)
  await database.run(sql`
    insert into public.up_events (masjid_id, title, starts_local, timezone, rrule)
    values (${id}, 'Lesson', '2026-02-20 19:00', 'UTC', 'FREQ=WEEKLY;BYDAY=FR')`)
  await database.run(sql`insert into public.ua_households (masjid_id, name) values (${id}, 'A household')`)
  await database.run(sql`insert into public.ua_members (masjid_id, given_name) values (${id}, 'Maryam')`)
  await database.run(sql`insert into public.ua_campaigns (masjid_id, title, currency) values (${id}, 'Roof', 'USD')`)
  await database.run(sql`
    insert into public.ua_donations (masjid_id, donor_name, amount_minor, currency, method, status, received_at)
    values (${id}, 'Maryam', 500, 'USD', 'cash', 'succeeded', now())`)
  await fillDays(database, { from: new Date().toISOString().slice(0, 10), days: 40 })
}

export const makeEverything = async (minaret: TestMinaret, { ofPage, ofForm }: Routes): Promise<Everything> => {
  const { database } = minaret.service
  const masjid = await makeMasjid(database)
  await fillMasjid(minaret, masjid.id)
  const { owner, reviewer, admin, ownerPages, reviewerPages, adminPages } = await makeEveryPage(database)
  const staff = await makeStaff(database, { masjid, role: 'admin', capabilities: all })
  const areas: Area[] = [
    { below: /^\/console/, user: owner, starts: Object.values(ownerPages) },
    { below: /^\/review/, user: reviewer, starts: Object.values(reviewerPages) },
    { below: /^\/admin/, user: admin, starts: Object.values(adminPages) },
    {
      below: /^\/(staff|account|oauth|device|invitations)\b/,
      user: staff,
      starts: [`/staff/${masjid.slug}`, '/account'],
    },
  ]
  const actors: Actor[] = []
  for (const { below, user, starts } of areas) {
    const ownPage = (path: string): string | undefined => (below.test(path) ? ofPage(path) : undefined)
    actors.push({
      below,
      user,
      reached: await crawl(await visitAs(minaret, user), starts, { ofPage: ownPage, ofForm }),
    })
  }
  return { masjid, actors }
}
