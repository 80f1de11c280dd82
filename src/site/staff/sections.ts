// The sections of a masjid's staff pages, in the order of their menu.
import type { Capability } from '../../base/capability-names.ts'
import type { StaffedMasjid } from '../../capabilities/staffed-masjids.ts'

export interface StaffSection {
  readonly name:
    | 'overview'
    | 'week'
    | 'times'
    | 'print'
    | 'announcements'
    | 'events'
    | 'people'
    | 'giving'
    | 'screens'
    | 'team'
    | 'details'
    | 'changes'
  /** Below /staff/{slug}. */
  readonly path: string
  /** Who sees it; undefined: everybody who looks after anything at the masjid. */
  readonly capability: Capability | undefined
}

/** A section is added with its pages. */
const staffSections: readonly StaffSection[] = [
  { name: 'overview', path: '', capability: undefined },
  { name: 'week', path: 'week', capability: 'times' },
  { name: 'times', path: 'times', capability: 'times' },
  { name: 'print', path: 'print', capability: 'times' },
  { name: 'events', path: 'events', capability: 'events' },
  { name: 'announcements', path: 'announcements', capability: 'announcements' },
  { name: 'people', path: 'people', capability: 'people' },
  { name: 'giving', path: 'giving', capability: 'giving' },
  { name: 'screens', path: 'screens', capability: 'screens' },
  { name: 'team', path: 'team', capability: 'capabilities' },
  { name: 'details', path: 'details', capability: undefined },
  { name: 'changes', path: 'changes', capability: undefined },
]

export type StaffSectionName = StaffSection['name']

export const staffPath = ({ slug }: Pick<StaffedMasjid, 'slug'>, path = ''): string =>
  path === '' ? `/staff/${slug}` : `/staff/${slug}/${path}`

export const sectionsFor = ({ capabilities }: StaffedMasjid): readonly StaffSection[] =>
  staffSections.filter(({ capability }) => capability === undefined || capabilities.includes(capability))
