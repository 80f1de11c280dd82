// The form on which a screen is connected: what was chosen, and what is wrong with it.

import type { Session } from '../../accounts/sessions.ts'
import { isPlainLine } from '../../base/plain-text.ts'
import { isUuid } from '../../base/uuid.ts'
import { findStaffedMasjids, type StaffedMasjid } from '../../capabilities/staffed-masjids.ts'
import type { Database } from '../../db/database.ts'
import type { FormValues } from '../frame/form-body.ts'
import type { ScreenFault, ScreenForm } from './confirm-screen-page.ts'

const LONGEST_NAME = 60

/** PostgreSQL decides again when the screen is added. */
export const masjidsForScreens = async (database: Database, { user }: Session): Promise<StaffedMasjid[]> => {
  const masjids = await findStaffedMasjids(database, { userId: user.id, isAdmin: user.isAdmin })
  return masjids.filter(({ capabilities }) => capabilities.includes('screens'))
}

export const readScreenForm = (form: FormValues): ScreenForm => ({
  masjid: form.text('masjid'),
  name: form.text('name'),
})

export const isScreenName = (name: string): boolean =>
  name !== '' && [...name].length <= LONGEST_NAME && isPlainLine(name)

export const screenFaultIn = ({ masjid, name }: ScreenForm): ScreenFault | undefined => {
  if (!isUuid(masjid)) return 'masjid'
  return isScreenName(name) ? undefined : 'name'
}
