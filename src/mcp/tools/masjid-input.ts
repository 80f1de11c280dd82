// How tools name a masjid, a day and a place: the input that several of them share.
import * as z from 'zod'
import { dateOf, dayNumberAt, isDate } from '../../base/civil-date.ts'
import { ToolRefusal } from '../tool-refusal.ts'

export const masjidField = z
  .string()
  .min(1)
  .max(200)
  .describe('The masjid, as find_masjids returns it in "masjid": its short name (slug), or its id.')

export const dateField = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

export const latitudeField = z.number().min(-90).max(90).describe('Degrees north of the place.')
export const longitudeField = z.number().min(-180).max(180).describe('Degrees east of the place.')

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export const isUuid = (text: string): boolean => uuid.test(text)

/** A filter of up_masjids. */
export const whichMasjid = (masjid: string): Readonly<Record<string, unknown>> =>
  isUuid(masjid) ? { id: { _eq: masjid } } : { slug: { _eq: masjid } }

export const unknownMasjid = (masjid: string): ToolRefusal =>
  new ToolRefusal(`There is no masjid ${JSON.stringify(masjid.slice(0, 100))}. Look it up with find_masjids.`)

/** `2026-02-30` has the form of a date. @throws {ToolRefusal} */
export const checkDate = (date: string): string => {
  if (!isDate(date)) throw new ToolRefusal(`${date} is not a day of the calendar.`)
  return date
}

/** It is yesterday or tomorrow already somewhere. */
export const daysAround = (
  now: Date,
  before: number,
  after: number,
): { readonly from: string; readonly until: string } => {
  const today = dayNumberAt(now)
  return { from: dateOf(today - before), until: dateOf(today + after) }
}
