// What one check found: how things stand, in words, and what to do about it.

export interface Finding {
  /** The name of the check, the same in every version, so that programs can rely on it. */
  readonly check: string
  /** A `fault` must be mended; a `warning` should be looked at; what could not be checked was `skipped`. */
  readonly status: 'ok' | 'warning' | 'fault' | 'skipped'
  readonly found: string
  /** What to do, in one sentence. */
  readonly remedy?: string
}

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found })

export const skipped = (check: string, found: string): Finding => ({ check, status: 'skipped', found })

export const warning = (check: string, found: string, remedy: string): Finding => ({
  check,
  status: 'warning',
  found,
  remedy,
})

export const fault = (check: string, found: string, remedy: string): Finding => ({
  check,
  status: 'fault',
  found,
  remedy,
})
