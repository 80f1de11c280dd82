// Lanes and a statement's expected time → the lane to send it to, or none while all are busy.
import { LANE_MS, LATE_MS } from './lane-rules.ts'

/** What is in progress in one lane. */
export interface LaneLoad {
  readonly ready: boolean
  readonly running: number
  readonly reservedMs: number
  /** When its first statement started running. */
  readonly headSince: number
}

export interface Asked {
  readonly ms: number
  readonly depth: number
  readonly now: number
  /** How many times as long as usual statements take at the moment. */
  readonly slowdown: number
}

/** An idle lane takes anything; one in use takes what does not delay others for long. */
export const hasRoom = (lane: LaneLoad, { ms, depth, now, slowdown }: Asked): boolean =>
  lane.ready &&
  (lane.running === 0 ||
    (lane.running < depth && lane.reservedMs + ms <= LANE_MS && now - lane.headSince < LATE_MS * slowdown))

/** The least busy lane. */
export const chooseLane = <Lane extends LaneLoad>(lanes: readonly Lane[], asked: Asked): Lane | undefined => {
  let best: Lane | undefined
  for (const lane of lanes) {
    if (!hasRoom(lane, asked)) continue
    if (best === undefined || isLess(lane, best)) best = lane
  }
  return best
}

const isLess = (one: LaneLoad, other: LaneLoad): boolean =>
  one.reservedMs < other.reservedMs || (one.reservedMs === other.reservedMs && one.running < other.running)
