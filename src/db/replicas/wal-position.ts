// Positions in the write-ahead log: their text, as PostgreSQL writes it, and how far behind one that was seen is.

/** As clients send it back; undefined if it is none. */
export const readPosition = (text: unknown): bigint | undefined => {
  const found = typeof text === 'string' ? /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) : null
  return found === null ? undefined : (BigInt(`0x${found[1]}`) << 32n) + BigInt(`0x${found[2]}`)
}

export interface PositionHistory {
  /** The primary was there at that time. */
  note(position: bigint, now: number): void
  /** For how long the primary has been ahead of this position, in milliseconds. */
  lagOf(position: bigint, now: number): number
}

/** Enough for twice the lag that is allowed, at a distance of a thousandth of it. */
const PARTS = 1000
const MOST = PARTS * 2

export const createPositionHistory = (mostLagMs: number): PositionHistory => {
  let seen: { readonly position: bigint; readonly at: number }[] = []
  return {
    note: (position, at) => {
      // A new primary may begin earlier; one that stands still adds nothing.
      if (position < (seen.at(-1)?.position ?? 0n)) seen = []
      const last = seen.at(-1)
      const isNews = last === undefined || (position > last.position && at - last.at >= mostLagMs / PARTS)
      if (isNews) seen.push({ position, at })
      if (seen.length > MOST) seen.shift()
    },
    lagOf: (position, now) => {
      const ahead = seen.find(sample => sample.position > position)
      return ahead === undefined ? 0 : now - ahead.at
    },
  }
}
