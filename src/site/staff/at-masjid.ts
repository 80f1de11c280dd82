// Wraps a handler of a staff page: it gets the masjid named in the URL, if the visitor may look after it.

import type { Capability } from '../../base/capability-names.ts'
import { findStaffedMasjids, type StaffedMasjid } from '../../capabilities/staffed-masjids.ts'
import { notFound } from '../../http/not-found.ts'
import { parameterOf } from '../console/parts.ts'
import { forbidden } from '../frame/fault-page.ts'
import { type Answer, redirectTo } from '../frame/page-reply.ts'
import { SECURITY_PAGE, type SignedInVisit } from '../frame/page-routes.ts'
import { rememberReturn } from '../frame/return-address.ts'
import type { StaffParts } from './staff-parts.ts'

export interface StaffVisit {
  readonly visit: SignedInVisit
  readonly masjid: StaffedMasjid
}

type StaffHandler = (here: StaffVisit) => Promise<Answer> | Answer

const masjidOf = async ({ database }: StaffParts, visit: SignedInVisit): Promise<StaffedMasjid> => {
  const { id: userId, isAdmin } = visit.session.user
  const [masjid] = await findStaffedMasjids(database, { userId, isAdmin }, { slug: parameterOf(visit, 'slug') })
  // To a stranger a masjid has no staff pages at all.
  if (masjid === undefined) throw notFound()
  return masjid
}

/** Whoever holds it, but has no second factor yet, sets that up first. */
const factorFirst = ({ pages: { visits } }: StaffParts, visit: SignedInVisit): Answer => {
  if (visit.request.method === 'GET') rememberReturn(visits, visit)
  return redirectTo(SECURITY_PAGE)
}

/** With a capability, the page is for those who hold it; without, for everybody who holds any. PostgreSQL decides again at each write. */
export const atMasjid =
  (parts: StaffParts, handler: StaffHandler, capability?: Capability) =>
  async (visit: SignedInVisit): Promise<Answer> => {
    const masjid = await masjidOf(parts, visit)
    if (masjid.capabilities.length + masjid.guarded.length === 0) throw notFound()
    if (capability !== undefined && masjid.guarded.includes(capability)) return factorFirst(parts, visit)
    if (capability !== undefined && !masjid.capabilities.includes(capability)) throw forbidden()
    return handler({ visit, masjid })
  }

type PartsHandler = (parts: StaffParts, here: StaffVisit) => Promise<Answer> | Answer

/** The same for a section whose handlers all need the parts and one capability. */
export const lookingAfter =
  (parts: StaffParts, capability: Capability) =>
  (handler: PartsHandler): ReturnType<typeof atMasjid> =>
    atMasjid(parts, here => handler(parts, here), capability)
