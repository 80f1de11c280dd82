// An app in use: codes, refreshes, revocations, rows, the rows of a stream, reads. What was acknowledged is kept, and so is what was refused.
import assert from 'node:assert/strict'
import { readPosition } from '../../src/db/replicas/wal-position.ts'
import { masjidId } from '../graphql/fixture.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import type { TestMinaret } from '../support/minaret.ts'
import {
  type Code,
  type Flow,
  getCode,
  getTokens,
  postToken,
  refresh,
  revoke,
  type Tokens,
  userinfo,
  within,
} from '../support/oauth.ts'

export interface InUse {
  readonly minaret: TestMinaret
  readonly flow: Flow
  readonly key: string
}

interface Counted {
  readonly count: number
  readonly hit: boolean
}

interface Refused {
  readonly what: string
  /** By the clock of `performance.now`. */
  readonly at: number
}

interface TimedCode extends Code {
  /** By the clock of `performance.now`. */
  readonly at: number
}

interface Acknowledged {
  readonly codes: TimedCode[]
  /** Those that were used. */
  readonly used: Code[]
  /** The last refresh token of each family. */
  readonly refreshes: string[]
  readonly revoked: string[]
  readonly names: string[]
  /** When each of them was, by the clock of `performance.now`. */
  readonly writtenAt: number[]
  /** Names that are sent in order. */
  readonly ticks: string[]
  /** How often authors were counted, and when there were fewer than had been acknowledged before. */
  reads: number
  readonly stale: string[]
  readonly refused: Refused[]
}

export interface Acts {
  insert(name: string): Promise<number>
  /** The status if it was refused. */
  renew(token: string): Promise<Tokens | number>
  /** Undefined if the service cannot say now. */
  countAuthors(headers?: Record<string, string>): Promise<Counted | undefined>
  close(): void
}

const COUNT = '{ up_lib_authors_aggregate { aggregate { count } } }'

const insertion = (name: string): string =>
  `mutation { insert_up_lib_authors_one(object: {masjid_id: "${masjidId(1)}", name: "${name}"}) { id } }`

/** A refusal with the code that it has. */
class Refusal extends Error {}

const refusalOf = (what: string, status: number, body: unknown): Refusal => {
  const { errors, error } = body as { errors?: { extensions: { code: string } }[]; error?: string }
  return new Refusal(`${what} ${status} ${errors?.[0]?.extensions.code ?? error ?? ''}`)
}

const okOf = async (what: string, response: Response): Promise<Response> => {
  if (response.status === 200) return response
  const text = await response.text()
  throw refusalOf(what, response.status, text.startsWith('{') ? JSON.parse(text) : {})
}

export const openActs = ({ minaret, flow, key }: InUse): Acts => {
  const client: GraphqlClient = openClient(minaret, key, { retryStale: true })
  return {
    insert: async name => (await client.query({ query: insertion(name) })).status,
    renew: async token => {
      const response = await refresh(minaret, flow.app, token)
      if (response.status === 200) return (await response.json()) as Tokens
      await response.text()
      return response.status
    },
    countAuthors: async (headers = {}) => {
      const { status, body } = await client.query({ query: COUNT }, headers)
      if (status !== 200 || body.data === undefined) return undefined
      return { count: body.data.up_lib_authors_aggregate.aggregate.count, hit: body.extensions?.cache?.hit === true }
    },
    close: () => client.close(),
  }
}

interface Load {
  readonly acknowledged: Acknowledged
  /** What is under way then is not acknowledged. */
  stop(): Promise<void>
}

const nothing = (): Acknowledged => ({
  codes: [],
  used: [],
  refreshes: [],
  revoked: [],
  names: [],
  writtenAt: [],
  ticks: [],
  reads: 0,
  stale: [],
  refused: [],
})

type Work = (acknowledged: Acknowledged) => Promise<void>

/** One that needs a connection of its own gets one. */
const workers = (inUse: InUse, round: number): readonly Work[] => {
  const { minaret, flow, key } = inUse
  /** The furthest of all writes: a replica that is behind it may not answer. */
  let position = '0/0'
  const ask = async (client: GraphqlClient, what: string, query: string) => {
    const { status, body, headers } = await client.query({ query }, { 'x-minaret-position': position })
    if (status !== 200 || body.errors !== undefined) throw refusalOf(what, status, body)
    const reached = headers['x-minaret-position']
    if ((readPosition(reached) ?? 0n) > (readPosition(position) ?? 0n)) position = String(reached)
    return body.data
  }
  const reader = openClient(minaret, key, { retryStale: true })
  const ticker = openClient(minaret, key, { retryStale: true })
  const tokens = async (code: Code): Promise<Tokens> =>
    (await (await okOf('code', await postToken(minaret, code.form, code.headers))).json()) as Tokens
  const renewed = async (token: string): Promise<Tokens> =>
    (await (await okOf('refresh', await refresh(minaret, flow.app, token))).json()) as Tokens
  let ticks = 0
  return [
    async acknowledged => {
      const least = acknowledged.names.length + acknowledged.ticks.length
      const data = await ask(reader, 'read', COUNT)
      const { count } = data.up_lib_authors_aggregate.aggregate
      acknowledged.reads += 1
      if (count < least) acknowledged.stale.push(`${count} of ${least}`)
    },
    async acknowledged => {
      ticks += 1
      const name = `tick ${round}${String(ticks).padStart(6, '0')}`
      await ask(ticker, 'tick', insertion(name))
      acknowledged.ticks.push(name)
    },
    async ({ codes }) => {
      const at = performance.now()
      codes.push({ ...(await getCode(minaret, flow)), at })
    },
    async ({ used, refreshes }) => {
      const code = await getCode(minaret, flow)
      const first = await tokens(code)
      used.push(code)
      refreshes.push((await renewed((await renewed(first.refresh_token)).refresh_token)).refresh_token)
    },
    async ({ revoked }) => {
      const { access_token, refresh_token } = await getTokens(minaret, flow)
      for (const token of [access_token, refresh_token]) {
        await okOf('revocation', await revoke(minaret, flow.app, token))
        revoked.push(token)
      }
    },
    ...Array.from({ length: 3 }, (_, worker): Work => {
      const writer = openClient(minaret, key, { retryStale: true })
      return async ({ names, writtenAt }) => {
        const name = `author ${worker} ${names.length} ${performance.now()}`
        await ask(writer, 'write', insertion(name))
        names.push(name)
        writtenAt.push(performance.now())
      }
    }),
  ]
}

/** Each worker does one thing after the other until told to stop. Of several loads, a later one has a higher `round`. */
export const startLoad = (inUse: InUse, round = 0): Load => {
  const acknowledged = nothing()
  let isOver = false
  const repeat = async (work: Work): Promise<void> => {
    while (!isOver)
      await work(acknowledged).catch(({ message: what }: Error) => {
        acknowledged.refused.push({ what, at: performance.now() })
      })
  }
  const working = workers(inUse, round).map(repeat)
  return {
    acknowledged,
    stop: async () => {
      isOver = true
      await Promise.all(working)
    },
  }
}

/** Of each kind. */
export const untilAcknowledged = ({ acknowledged }: Load, least: number): Promise<void> => {
  const { codes, refreshes, revoked, names, ticks } = acknowledged
  return within(60_000, 'all kinds are acknowledged', async () =>
    [codes, refreshes, revoked, names, ticks].every(({ length }) => length >= least),
  )
}

/** A code lives for a minute. */
const YOUNG_MS = 40_000

const redeem = async ({ minaret }: InUse, { form, headers }: Code): Promise<number> => {
  const response = await postToken(minaret, form, headers)
  await response.text()
  return response.status
}

/** Those that are not used yet; those that may have run out are left. @returns how many */
export const redeemCodes = async (inUse: InUse, { codes, used }: Acknowledged): Promise<number> => {
  const young = codes.splice(0).filter(({ at }) => performance.now() - at < YOUNG_MS)
  for (const code of young) {
    let status = 503
    await within(YOUNG_MS, 'a code is taken or refused', async () => {
      status = await redeem(inUse, code)
      return status !== 503
    })
    if (performance.now() - code.at < YOUNG_MS) assert.equal(status, 200, 'a code')
  }
  used.push(...young)
  return young.length
}

/** Every code, refresh, revocation and row that was acknowledged counts, and no code is used again. */
export const assertKept = async (
  inUse: InUse,
  acknowledged: Acknowledged,
  stored: ReadonlySet<string>,
): Promise<void> => {
  const { minaret } = inUse
  const { used, refreshes, revoked, names, ticks, stale, reads } = acknowledged
  const acts = openActs(inUse)
  await redeemCodes(inUse, acknowledged)
  for (const token of refreshes) assert.equal(typeof (await acts.renew(token)), 'object', 'a refresh token')
  for (const code of used) assert.equal(await redeem(inUse, code), 400, 'a code that was used')
  for (const token of revoked) {
    const status = token.startsWith('rt_') ? await acts.renew(token) : (await userinfo(minaret, token)).status
    assert.equal(status, token.startsWith('rt_') ? 400 : 401, 'a revoked token')
  }
  acts.close()
  const lost = [...names, ...ticks].filter(name => !stored.has(name))
  assert.deepEqual(lost, [], 'writes')
  assert.deepEqual(stale, [], `among ${reads} reads`)
}
