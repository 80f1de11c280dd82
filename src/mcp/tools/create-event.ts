// create_event: an event of a masjid that takes place once.
import * as z from 'zod'
import { instantOf } from '../../base/local-time.ts'
import { audiences, categories } from '../../events/event-words.ts'
import { defineChangeTool } from '../changes/change-tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { momentInWords } from '../words.ts'
import { findMasjid, type NamedMasjid } from './find-masjid.ts'
import { masjidField } from './masjid-input.ts'

const input = {
  masjid: masjidField,
  title: z.string().min(1).max(200),
  description: z.string().max(5000).optional().describe('Plain text.'),
  starts: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)
    .describe('On the clock of the masjid, as YYYY-MM-DDTHH:MM.'),
  duration_minutes: z.int().min(5).max(1440).optional().describe('60 if left out.'),
  category: z.enum(categories).optional(),
  audience: z.enum(audiences).optional(),
  location: z.string().min(1).max(300).optional().describe('Where in or outside the masjid.'),
  capacity: z.int().min(1).max(100_000).optional().describe('Places; no limit if left out.'),
}

type Wishes = z.output<z.ZodObject<typeof input>>

const CREATE =
  'mutation Create($object: up_events_insert_input!) { written: insert_up_events_one(object: $object) { id } }'

const objectOf = (wishes: Wishes, { id, timezone }: Pick<NamedMasjid, 'id' | 'timezone'>): Record<string, unknown> => ({
  masjid_id: id,
  timezone,
  title: wishes.title,
  description: wishes.description ?? '',
  starts_local: `${wishes.starts}:00`,
  duration_minutes: wishes.duration_minutes ?? 60,
  category: wishes.category ?? 'other',
  audience: wishes.audience ?? 'everyone',
  mode: 'in_person',
  ...(wishes.location === undefined ? {} : { location: wishes.location }),
  ...(wishes.capacity === undefined ? {} : { capacity: wishes.capacity }),
})

const startOf = ({ starts }: Wishes, timezone: string, now: Date): Date => {
  const moment = instantOf(starts, timezone)
  if (moment === undefined) throw new ToolRefusal(`${starts} is not a time.`)
  if (moment <= now) throw new ToolRefusal(`${starts} has passed at the masjid (${timezone}).`)
  return moment
}

export const createEvent = defineChangeTool({
  name: 'create_event',
  title: 'Create an event',
  description: 'For staff: announces an event of a masjid that takes place once.',
  scopes: ['masjid:read', 'events:read', 'events:write'],
  input,
  attempt: async (call, wishes) => {
    const masjid = await findMasjid(call, wishes.masjid)
    const moment = startOf(wishes, masjid.timezone, call.now)
    await call.ask({ query: CREATE, variables: { object: objectOf(wishes, masjid) }, dryRun: true })
    const length = `${wishes.duration_minutes ?? 60} minutes`
    const words = `An event of ${masjid.name}: ${JSON.stringify(wishes.title)} at ${momentInWords(moment, masjid.timezone)}, ${length}.`
    return { words, basis: { id: masjid.id, timezone: masjid.timezone } }
  },
  make: async ({ ask }, wishes, { id, timezone }) => {
    const object = objectOf(wishes, { id: String(id), timezone: String(timezone) })
    const { written } = await ask<{ written: { id: string } }>({ query: CREATE, variables: { object } })
    return `Done. The event ${JSON.stringify(wishes.title)} is announced (id ${written.id}).`
  },
})
