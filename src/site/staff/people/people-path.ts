// Addresses of the people section.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { staffPath } from '../sections.ts'

type Slug = Pick<StaffedMasjid, 'slug'>

export const peoplePath = (masjid: Slug, ...rest: readonly string[]): string =>
  staffPath(masjid, ['people', ...rest].join('/'))

export const householdPath = (masjid: Slug, ...rest: readonly string[]): string =>
  peoplePath(masjid, 'households', ...rest)
