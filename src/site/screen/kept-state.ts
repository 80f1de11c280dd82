// A screen → what it shows, as text with its tag: kept until something of its masjid changes. The screen itself, its settings, whether its
// logo is there and whether it was ended are no part of the change log: they are read each time, and part of the key.
import { isDeepStrictEqual } from 'node:util'
import { entityTag } from '../../base/entity-tag.ts'
import { localDateAt } from '../../base/local-time.ts'
import type { Database } from '../../db/database.ts'
import type { Held, KeptResponses, Shelf } from '../../graphql/answers/kept-responses.ts'
import { readLogged } from '../../graphql/answers/trace-reads.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { type KnownScreen, readScreenContent, screenRelations } from '../../screens/read-screen.ts'
import { midnightAfter } from '../masjid/holds-for.ts'
import { screenState } from './screen-state.ts'

export interface StateText {
  readonly body: Buffer
  readonly tag: string
}

export const stateShelf = (kept: Pick<KeptResponses, 'shelf'>): Shelf<StateText | undefined> =>
  kept.shelf({ name: 'screen', bytesOf: state => state?.body.length ?? 0 })

/** An announcement may begin meanwhile. */
const MOST_MS = 60_000

const holdsMs = ({ timezone }: KnownScreen, now: Date): number => {
  const midnight = midnightAfter(localDateAt(now, timezone), timezone)?.getTime() ?? 0
  return Math.min(MOST_MS, midnight - now.getTime())
}

export interface AskedState {
  readonly database: Database
  readonly graphql: Engine
  readonly grantId: string
  /** As it is now. */
  readonly screen: KnownScreen
}

const nothing: Held<undefined> = { value: undefined, holdsMs: 0 }

const makeState = async ({ database, graphql, grantId, screen }: AskedState): Promise<Held<StateText | undefined>> => {
  const now = new Date()
  const content = await readLogged(graphql, {
    relations: screenRelations,
    read: async () => {
      const value = await readScreenContent(database, grantId)
      return { value, masjid: value?.screen.masjidId ?? '', server: value?.screen.server ?? '' }
    },
  })
  if (content === undefined) return nothing
  const body = Buffer.from(JSON.stringify(screenState(content)))
  // Its settings may have been changed in between: then this is not what its key says.
  const isAsked = isDeepStrictEqual(content.screen, screen)
  return { value: { body, tag: entityTag(body) }, holdsMs: isAsked ? holdsMs(screen, now) : 0 }
}

/** Undefined if it was ended meanwhile. */
export const readState = async (
  shelf: Shelf<StateText | undefined>,
  asked: AskedState,
): Promise<StateText | undefined> => {
  const key = `${asked.grantId} ${JSON.stringify(asked.screen)}`
  return (await shelf.get(key, () => makeState(asked), { who: asked.screen.masjidId })).value
}
