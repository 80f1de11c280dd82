// A page or action about an app → the right in its team that it needs.
import type { AppRight } from '../../apps/team/roles.ts'

const APP = '/console/apps/:id'

/** What ends the app, and the team itself. */
const owning = [`${APP}/suspend`, `${APP}/reinstate`, `${APP}/delete`, `${APP}/team/`]

/** Asks what would be done, or shows the form for it. */
const beforeDeveloping = /\/(edit|new|revoke|limit|withdraw|delete|rotate|disable|enable|replay)$/

/** Changes nothing of the app: a first query with a pasted key, and leaving the team. */
const harmless = [`${APP}/start`, `${APP}/team/leave`]

/** Whatever is not named here, and changes something, is for developers. */
export const rightFor = (method: string, route: string): AppRight => {
  if (harmless.includes(route)) return 'read'
  if (owning.some(path => route.startsWith(path))) return 'own'
  if (method !== 'GET' && method !== 'HEAD') return 'develop'
  return beforeDeveloping.test(route) ? 'develop' : 'read'
}
