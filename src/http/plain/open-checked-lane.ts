// A server and its routes → plain connections ahead of it, if they work; otherwise none, and a log line.
import type { Server } from 'node:http'
import { checkLane, type OpenLane } from './check-lane.ts'
import { noLane, openPlainLane, type PlainLane, type PlainRoutes } from './plain-lane.ts'

/**
 * Node offers no way to take a connection before its parser does: its listeners are replaced. So this is first tested on a
 * separate server. If it does not work, for example after an update of Node, Node's own server handles everything.
 */
export const openCheckedLane = async (
  server: Server,
  routes: PlainRoutes,
  open: OpenLane = openPlainLane,
): Promise<PlainLane> => {
  const fault = await checkLane(open, routes.log)
  if (fault === undefined) return open(server, routes)
  routes.log.warn(
    { err: fault, node: process.version },
    "plain connections are off, as they do not work on this version of Node; Node's own server answers, more slowly",
  )
  return noLane
}
