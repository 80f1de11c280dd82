// publish_announcement: what a masjid tells its people, from now on, until a day if one is given.

import * as z from 'zod'
import { addDays } from '../../base/civil-date.ts'
import { instantOf } from '../../base/local-time.ts'
import { defineChangeTool } from '../changes/change-tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { momentInWords } from '../words.ts'
import { findMasjid } from './find-masjid.ts'
import { checkDate, dateField, masjidField } from './masjid-input.ts'

const input = {
  masjid: masjidField,
  title: z.string().min(1).max(200).describe('One line.'),
  body: z.string().max(5000).optional().describe('Plain text.'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .optional()
    .describe('Of title and body, as a BCP 47 tag; "en" if left out.'),
  kind: z.enum(['general', 'prayer_change', 'closure', 'appeal', 'volunteers', 'lost_and_found']).optional(),
  urgent: z.boolean().optional(),
  last_day: dateField.optional().describe('The last day on which it is shown, as YYYY-MM-DD.'),
}

type Wishes = z.output<z.ZodObject<typeof input>>

const PUBLISH = `mutation Publish($object: up_announcements_insert_input!) {
  written: insert_up_announcements_one(object: $object) { id }
}`

const endOf = ({ last_day: last }: Wishes, timezone: string): Date | undefined => {
  const end = last === undefined ? undefined : instantOf(`${addDays(checkDate(last), 1)}T00:00`, timezone)
  if (last !== undefined && end === undefined) throw new ToolRefusal(`${last} is not a day at the masjid.`)
  return end
}

const objectOf = (wishes: Wishes, masjid: unknown, end: unknown): Record<string, unknown> => {
  const { title, body, language = 'en', kind = 'general', urgent = false } = wishes
  const texts = { [language]: { title, ...(body === undefined || body === '' ? {} : { body }) } }
  return { masjid_id: masjid, texts, kind, urgent, ...(end === undefined ? {} : { ends_at: end }) }
}

export const publishAnnouncement = defineChangeTool({
  name: 'publish_announcement',
  title: 'Publish an announcement',
  description: 'For staff: publishes an announcement of a masjid at once, on its screens, its page and in apps.',
  scopes: ['masjid:read', 'masjid:write'],
  input,
  attempt: async (call, wishes) => {
    const { id, name, timezone } = await findMasjid(call, wishes.masjid)
    const end = endOf(wishes, timezone)
    const basis = { masjid: id, ...(end === undefined ? {} : { end: end.toISOString() }) }
    const object = objectOf(wishes, id, end?.toISOString())
    await call.ask({ query: PUBLISH, variables: { object }, dryRun: true })
    const until = end === undefined ? 'until somebody ends it' : `until ${momentInWords(end, timezone)}`
    return { words: `An announcement of ${name}, shown from now on ${until}: ${JSON.stringify(wishes.title)}.`, basis }
  },
  make: async ({ ask }, wishes, { masjid, end }) => {
    const { written } = await ask<{ written: { id: string } }>({
      query: PUBLISH,
      variables: { object: objectOf(wishes, masjid, end) },
    })
    return `Done. The announcement ${JSON.stringify(wishes.title)} is published (id ${written.id}).`
  },
})
