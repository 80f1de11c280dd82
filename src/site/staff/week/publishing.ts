// When a change is published: what was chosen → checked, and as an instant.

import { instantOf } from '../../../base/local-time.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'
import { isClock, isDate } from './change-values.ts'
import type { PublishFaults, PublishValues } from './preview-page.ts'

interface Publishing {
  readonly values: PublishValues
  readonly faults: PublishFaults
}

/** Date and time must have been checked. */
const momentOf = ({ timezone }: StaffedMasjid, { publish_date, publish_time }: PublishValues): Date => {
  const local = `${publish_date}T${publish_time.slice(0, 5)}`
  const instant = instantOf(local, timezone)
  if (instant === undefined) throw new Error(`not a local time: ${local}`)
  return instant
}

const faultsOf = (
  { view }: SignedInVisit,
  values: PublishValues,
  { masjid, firstOn }: { readonly masjid: StaffedMasjid; readonly firstOn: string },
): PublishFaults => {
  const { faults } = view.texts.week
  const { when, publish_date, publish_time, expected_timetables, replace_timetables } = values
  if (expected_timetables !== '' && replace_timetables !== 'yes') return { replace_timetables: faults.replace }
  if (when === 'now') return {}
  if (when !== 'set') return { when: faults.when }
  if (!isDate(publish_date)) return { publish_date: faults.date }
  if (!isClock(publish_time)) return { publish_time: faults.time }
  if (publish_date > firstOn) return { publish_date: faults.whenLate }
  return momentOf(masjid, values).getTime() <= Date.now() ? { publish_time: faults.whenPast } : {}
}

export const checkPublishing = (
  visit: SignedInVisit,
  change: { readonly masjid: StaffedMasjid; readonly firstOn: string },
): Publishing => {
  const { form } = visit
  const values = {
    when: form.text('when'),
    publish_date: form.text('publish_date'),
    publish_time: form.text('publish_time'),
    replace_timetables: form.text('replace_timetables'),
    expected_timetables: form.exact('expected_timetables'),
  }
  return { values, faults: faultsOf(visit, values, change) }
}

/** Null: now. */
export const publishAt = (masjid: StaffedMasjid, values: PublishValues): string | null =>
  values.when === 'set' ? momentOf(masjid, values).toISOString() : null
