// The clock of the device, which may be wrong, and the service's, whenever it was reached → the time, and whether it can be trusted.

/** Clocks that differ by less than this are taken to agree. */
const JUMP_MS = 2 * 60_000

/**
 * `device` is the clock that people set, and that a device without a battery forgets. `steady` only counts on, but not while the
 * device sleeps. Both in milliseconds.
 */
export const createClock = ({ device, steady }) => {
  /** A moment at which the time was known, and what the clocks said then. */
  let base = { at: device(), device: device(), steady: steady() }
  /** The service has said the time since the screen was started. */
  let isSet = false
  /** It was this late once: whatever says that it is earlier is wrong. */
  let latest = 0

  const elapsed = () => {
    const [counted, shown] = [steady() - base.steady, device() - base.device]
    // Ahead of what was counted, the device has slept, or its clock was set. Behind it, the clock was set back.
    const jumped = shown - counted > JUMP_MS
    return { jumped, milliseconds: jumped ? shown : counted }
  }

  const now = () => {
    const { jumped, milliseconds } = elapsed()
    const at = base.at + milliseconds
    if (at < latest - JUMP_MS) return { at, jumped, trust: 'unknown' }
    return { at, jumped, trust: isSet && !jumped ? 'checked' : 'unchecked' }
  }

  return {
    now,
    /** What was kept when the screen was last in contact: how far the device's clock was behind, and the latest time known. */
    restore: kept => {
      base = { at: device() + kept.behind, device: device(), steady: steady() }
      latest = kept.latest
    },
    /** @param at the service's time, `agoMs` ago */
    set: (at, agoMs = 0) => {
      base = { at: at + agoMs, device: device(), steady: steady() }
      latest = base.at
      isSet = true
    },
    /** What to keep for the next start; undefined while the time is not certain. */
    keep: () => {
      const { at, trust } = now()
      return trust === 'checked' ? { behind: at - device(), latest: at } : undefined
    },
  }
}

export const clock = createClock({ device: () => Date.now(), steady: () => performance.now() })
