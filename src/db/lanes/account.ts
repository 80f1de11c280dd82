// The database time one key (an app, or an address in the sandbox) used lately, and how far its statements can be trusted
// to take as long as expected. Pure: the time is always passed in.
import { LANE_MS, type LaneKind } from './lane-rules.ts'

interface KindAccount {
  running: number
  reservedMs: number
  /** By how much its statements exceeded the expected time, and how many there were; both decay. */
  surpriseMs: number
  statements: number
}

export interface Account {
  /** Database time, decaying. A running statement counts as reserved until it is settled. */
  usedMs: number
  fadedAt: number
  readonly quick: KindAccount
  readonly trial: KindAccount
  readonly slow: KindAccount
  /** Statements that were slow for this key, the latest last. */
  readonly slowNames: Set<string>
}

/** The half-life of used time. */
const HALF_LIFE_MS = 5000
const FADE_EVERY_MS = 100
/** Deviations below this are noise on a busy machine. */
const NOISE_MS = 5
/** Added as if they had run as expected, so that one late statement does not decide. */
const PRIOR_STATEMENTS = 4
/** A new key is trusted only a little: its first statements get a lane each. */
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

/** The time to reserve for a statement: its expected time, plus the key's usual overrun. */
export const expectedOf = (account: Account, kind: LaneKind, statementMs: number): number => {
  const { surpriseMs, statements } = account[kind]
  return statementMs + surpriseMs / (statements + PRIOR_STATEMENTS)
}

/**
 * Whether a key may run one more statement. Trustworthy statements never come near the bound; others leave one lane
 * free. A key may use all slow lanes: `toPreempt` gives them back to others.
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
  /** How many times as long as usual statements take at the moment; by default 1. */
  readonly slowdown?: number
}

export const settle = (account: Account, { kind, reservedMs, statementMs, ranMs, slowdown = 1 }: Settlement): void => {
  const own = account[kind]
  const unhurriedMs = ranMs / slowdown
  account.usedMs += ranMs - reservedMs
  own.running -= 1
  own.reservedMs = own.running === 0 ? 0 : own.reservedMs - reservedMs
  own.statements += 1
  if (unhurriedMs > statementMs + NOISE_MS) own.surpriseMs += unhurriedMs - statementMs
}

/** The statement outlasted a trial: next time it goes straight to a slow lane, for this key only. For others it may be quick. */
export const noteSlow = ({ slowNames }: Account, name: string): void => {
  slowNames.delete(name)
  slowNames.add(name)
  const [oldest] = slowNames
  if (slowNames.size > MOST_SLOW_NAMES && oldest !== undefined) slowNames.delete(oldest)
}
