// What one key (an app, or an address in the sandbox) has used of the database lately, and how far its statements can be
// trusted to take as long as expected. Pure: the time is always given.
import { LANE_MS, type LaneKind } from './lane-rules.ts'

interface KindAccount {
  running: number
  reservedMs: number
  /** How much longer than expected its statements ran, and how many there were; both fade. */
  surpriseMs: number
  statements: number
}

export interface Account {
  /** Database time, fading. What is running counts as it was reserved, until it is settled. */
  usedMs: number
  fadedAt: number
  readonly quick: KindAccount
  readonly trial: KindAccount
  readonly slow: KindAccount
  /** Statements that were slow when this key sent them, the latest last. */
  readonly slowNames: Set<string>
}

/** Half of what was used is forgotten after this time. */
const HALF_LIFE_MS = 5000
const FADE_EVERY_MS = 100
/** Deviations below this are the noise of a busy machine. */
const NOISE_MS = 5
/** Counted as if they had been as expected, so that one late statement does not say everything. */
const PRIOR_STATEMENTS = 4
/** A key that is new is trusted only little: its first statements have a lane each. */
const NEW_SURPRISE_MS = 50

const MOST_SLOW_NAMES = 100

const newKind = (): KindAccount => ({ running: 0, reservedMs: 0, surpriseMs: NEW_SURPRISE_MS, statements: 0 })

export const newAccount = (now: number): Account => ({
  usedMs: 0,
  fadedAt: now,
  quick: newKind(),
  trial: newKind(),
  slow: newKind(),
  slowNames: new Set(),
})

export const fade = (account: Account, now: number): void => {
  const elapsed = now - account.fadedAt
  if (elapsed < FADE_EVERY_MS) return
  const left = 0.5 ** (elapsed / HALF_LIFE_MS)
  account.fadedAt = now
  account.usedMs *= left
  for (const kind of [account.quick, account.trial, account.slow]) {
    kind.surpriseMs *= left
    kind.statements *= left
  }
}

/** What to reserve for a statement: what is expected of it, and what its key's statements usually take beyond that. */
export const expectedOf = (account: Account, kind: LaneKind, statementMs: number): number => {
  const { surpriseMs, statements } = account[kind]
  return statementMs + surpriseMs / (statements + PRIOR_STATEMENTS)
}

/**
 * Whether a key may have one more statement under way. Statements that can be trusted never come near the bound; those
 * that cannot leave one lane to others. Slow lanes may all be had: others get theirs back by `toPreempt`.
 */
export const isWithinShare = (account: Account, kind: LaneKind, ms: number, lanes: number): boolean => {
  const { running, reservedMs } = account[kind]
  return kind === 'slow' || running === 0 || reservedMs + ms <= (lanes - 1) * LANE_MS
}

export const reserve = (account: Account, kind: LaneKind, ms: number): void => {
  account.usedMs += ms
  account[kind].running += 1
  account[kind].reservedMs += ms
}

export interface Settlement {
  readonly kind: LaneKind
  readonly reservedMs: number
  readonly statementMs: number
  readonly ranMs: number
}

export const settle = (account: Account, { kind, reservedMs, statementMs, ranMs }: Settlement): void => {
  const own = account[kind]
  account.usedMs += ranMs - reservedMs
  own.running -= 1
  own.reservedMs = own.running === 0 ? 0 : own.reservedMs - reservedMs
  own.statements += 1
  if (ranMs > statementMs + NOISE_MS) own.surpriseMs += ranMs - statementMs
}

/** It outlasted a trial: the next time, this key's goes to a slow lane at once. Other keys may ask the same with other values. */
export const noteSlow = ({ slowNames }: Account, name: string): void => {
  slowNames.delete(name)
  slowNames.add(name)
  const [oldest] = slowNames
  if (slowNames.size > MOST_SLOW_NAMES && oldest !== undefined) slowNames.delete(oldest)
}
