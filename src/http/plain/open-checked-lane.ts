// A server and a route → plain connections ahead of it, where they work; otherwise none, and the log says so.
import type { Server } from 'node:http'
import { checkLane, type OpenLane } from './check-lane.ts'
import { noLane, openPlainLane, type PlainLane, type PlainRoute } from './plain-lane.ts'

/**
 * Node offers no way to take a connection before its parser does: its listeners are replaced. So the whole is tried first on a
 * server of its own; where it does not work, as after an update of Node, Node's own server answers everything.
 */
export const openCheckedLane = async (
  server: Server,
  route: PlainRoute,
  open: OpenLane = openPlainLane,
): Promise<PlainLane> => {
  const fault = await checkLane(open, route.log)
  if (fault === undefined) return open(server, route)
  route.log.warn(
    { err: fault, node: process.version },
    "plain connections are off, as they do not work on this version of Node; Node's own server answers, more slowly",
  )
  return noLane
}
