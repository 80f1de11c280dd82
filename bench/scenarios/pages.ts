// A page deep in a long list, by offset and by cursor: an offset reads and discards all rows before it, a cursor does not.
import type { Bench } from '../bench-frame.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Scenario } from '../measure/rounds.ts'
import { POSTGRAPHILE } from '../report/bars.ts'
import { ANSWER_START, askOnce, randomly } from './graphql-requests.ts'
import type { GraphqlServers } from './graphql-servers.ts'
import type { Variables } from './questions.ts'

const ORDER = 'order_by: [{starts_local: asc}, {id: asc}], limit: 25'
const BY_OFFSET = `query Page($offset: Int!) { up_events(${ORDER}, offset: $offset) { id title starts_local _cursor } }`
const BY_CURSOR = `query Page($after: String!) { up_events(${ORDER}, after: $after) { id title starts_local _cursor } }`

const THEIR_ORDER = 'orderBy: [STARTS_LOCAL_ASC, ROW_ID_ASC], first: 25'
const THEIR_FIELDS = '{ edges { cursor } nodes { rowId title startsLocal } }'
const THEIR_OFFSET = `query Page($offset: Int!) { allUpEvents(${THEIR_ORDER}, offset: $offset) ${THEIR_FIELDS} }`
const THEIR_CURSOR = `query Page($after: Cursor!) { allUpEvents(${THEIR_ORDER}, after: $after) ${THEIR_FIELDS} }`

const PAGES = 40

/** Spread over the last fifth of the list. */
const deepOffsets = ({ sizes }: Bench): readonly Variables[] => {
  const rows = sizes.masjids * sizes.eventsPerMasjid
  return Array.from({ length: PAGES }, (_, page) => ({ offset: Math.floor(rows * (0.8 + (0.19 * page) / PAGES)) }))
}

/** The last cursor of each of those pages, where the next page starts. */
const cursorsOf = async (
  port: number,
  asked: Parameters<typeof askOnce>[1],
  field: string,
): Promise<readonly Variables[]> => {
  const pages = []
  for (const variables of asked.variables) {
    const text = await askOnce(port, { ...asked, variables: [variables] })
    const found = [...text.matchAll(new RegExp(`"${field}":"([^"]*)"`, 'g'))].at(-1)?.[1]
    if (found === undefined) throw new Error(`No cursor in: ${text.slice(0, 400)}`)
    pages.push({ after: found })
  }
  return pages
}

export const pageScenario = async (bench: Bench, servers: GraphqlServers): Promise<Scenario> => {
  const { minaret } = servers
  const peer = servers.postgraphile({ filters: false, secured: false })
  const variables = deepOffsets(bench)
  const ours = { path: '/v1/graphql', query: BY_OFFSET, variables, credential: bench.tenants.key }
  const theirs = { path: '/graphql', query: THEIR_OFFSET, variables }
  const contender = (name: string, server: { pid: number; port: number }, asked: Parameters<typeof randomly>[0]) =>
    httpContender(bench.machinery, { name, server, source: randomly(asked), bodyStart: ANSWER_START })
  const after = await cursorsOf(minaret.port, ours, '_cursor')
  const contenders = [
    contender('Minaret, by cursor', minaret, { ...ours, query: BY_CURSOR, variables: after }),
    contender('Minaret, by offset', minaret, ours),
  ]
  if (peer !== undefined) {
    const theirAfter = await cursorsOf(peer.port, theirs, 'cursor')
    contenders.push(
      contender(`${POSTGRAPHILE}, by cursor`, peer, { ...theirs, query: THEIR_CURSOR, variables: theirAfter }),
    )
    contenders.push(contender(`${POSTGRAPHILE}, by offset`, peer, theirs))
  }
  return { name: 'graphql.pages', title: 'A page deep in the list of events', contenders }
}
