// Masjids that move between two towns with each change, and an event of each: what a list by town shows, and what it does not, must be
// true at one moment after it was asked for.
import assert from 'node:assert/strict'
import { masjidId } from '../graphql/fixture.ts'

const numbers = [4, 5, 10] as const

/** Of masjids with events. */
export const movers: readonly string[] = numbers.map(masjidId)
const events: readonly string[] = numbers.map(
  number => `00000000-0000-4000-8000-00000040${String(number).padStart(2, '0')}01`,
)

/** With an odd number of moves, a masjid is in the second. */
const towns = ['Evenford', 'Oddford'] as const

export const moverStatements: readonly string[] = movers.flatMap((id, mover) => [
  `update up_masjids set city = '${towns[0]}', capacity = 2 where id = '${id}'`,
  `update up_events set title = 'Moved 0' where id = '${events[mover]}'`,
])

/** The number of moves is its capacity, from 2. */
export const move = (mover: number): string =>
  `update up_masjids set capacity = capacity + 1, city = ('{${towns.join()}}'::text[])[1 + (capacity + 1) % 2] where id = '${movers[mover]}'`

export const moveEvent = (mover: number, count: number): string =>
  `update up_events set title = 'Moved ${count}' where id = '${events[mover]}'`

const placeIn = (ids: readonly string[]): string => `array_position('{${ids.join()}}'::uuid[], id)`

/** By the place of the mover, from 0. */
export const movesMade = `select ${placeIn(movers)} - 1 as id, capacity - 2 as value
  from public.up_masjids where ${placeIn(movers)} > 0`
export const eventsMoved = `select ${placeIn(events)} - 1 as id, substr(title, 7)::int as value
  from public.up_events where ${placeIn(events)} > 0`

/** What was committed and acknowledged, by mover; and how many changes of it were begun. */
export interface Moves {
  readonly moves: number[]
  readonly moved: number[]
  readonly begun: number[]
}

export const noMoves = (): Moves => ({ moves: [0, 0, 0], moved: [0, 0, 0], begun: [0, 0, 0] })

interface Town {
  readonly up_masjids: readonly {
    readonly id: string
    readonly capacity: number
    readonly events: readonly { readonly title: string }[]
  }[]
}

const checkShown = (shown: Town['up_masjids'][number], floor: Moves, mover: number): void => {
  const count = shown.capacity - 2
  const least = floor.moves[mover] ?? 0
  assert.ok(count >= least, `stale: mover ${mover} has moved ${count} times, was ${least}`)
  const noted = Number(/^Moved (\d+)$/.exec(shown.events[0]?.title ?? '')?.[1])
  const leastNoted = floor.moved[mover] ?? 0
  assert.ok(noted >= leastNoted, `stale: the event of mover ${mover} says ${noted}, was ${leastNoted}`)
}

/** A list by town. What it does not show must have been in the other one at some moment between then and now. */
export const townReadings = towns.map((town, parity) => ({
  query: `query Town($town: String!) {
    up_masjids(where: {city: {_eq: $town}}, order_by: {id: asc}) { id capacity events(order_by: {id: asc}, limit: 1) { title } }
  }`,
  variables: { town },
  check: ({ up_masjids: rows }: Town, floor: Moves, now: Moves): void => {
    for (const [mover, id] of movers.entries()) {
      const shown = rows.find(row => row.id === id)
      if (shown !== undefined) checkShown(shown, floor, mover)
      const stood = floor.moves[mover] ?? 0
      const isThere = stood === now.begun[mover] && stood % 2 === parity
      assert.ok(shown !== undefined || !isThere, `stale: mover ${mover} is missing in ${town} after ${stood} moves`)
    }
  },
}))
