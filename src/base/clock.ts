// Time as a value that tests can replace; nothing else asks the system for it.

export interface Clock {
  /** The current moment. */
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Whole seconds since 1970, as JSON Web Tokens count them. */
export const epochSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)
