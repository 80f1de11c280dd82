// Every tool, in the order in which assistants list them.
import type { Model } from '../catalog/model.ts'
import type { AnyTool } from './tool.ts'
import { cancelEvent } from './tools/cancel-event.ts'
import { changeIqamah } from './tools/change-iqamah.ts'
import { createEvent } from './tools/create-event.ts'
import { findMasjids } from './tools/find-masjids.ts'
import { getJumuah } from './tools/get-jumuah.ts'
import { getMyGiving } from './tools/get-my-giving.ts'
import { getNextPrayer } from './tools/get-next-prayer.ts'
import { getPrayerTimes } from './tools/get-prayer-times.ts'
import { listEvents } from './tools/list-events.ts'
import { publishAnnouncement } from './tools/publish-announcement.ts'
import { queryTool } from './tools/query.ts'
import { rsvpToEvent } from './tools/rsvp-to-event.ts'
import { createSearchSchema } from './tools/search-schema.ts'

export type Tools = ReadonlyMap<string, AnyTool>

export const createTools = (currentModel: () => Model): Tools => {
  const tools = [
    findMasjids,
    getPrayerTimes,
    getNextPrayer,
    getJumuah,
    listEvents,
    rsvpToEvent,
    getMyGiving,
    changeIqamah,
    publishAnnouncement,
    createEvent,
    cancelEvent,
    createSearchSchema(currentModel),
    queryTool,
  ]
  return new Map(tools.map(tool => [tool.name, tool]))
}
