// What a route costs whoever asks without a credential: each route declares it, and the service does not start with one that does not.

export type Charge =
  /** Points of the network address's budget; one is about a millisecond of the thread that serves everybody. */
  | {
      readonly kind: 'points'
      readonly points: number
      /** With `stranger`, only whoever turns out to have no valid credential is charged, by `chargeStranger`. */
      readonly who: 'everybody' | 'stranger'
    }
  /** Another limit counts it, by address as well. */
  | { readonly kind: 'own'; readonly limit: string }
  | { readonly kind: 'free'; readonly because: string }

export const points = (amount: number): Charge => ({ kind: 'points', points: amount, who: 'everybody' })

export const pointsOfStrangers = (amount: number): Charge => ({ kind: 'points', points: amount, who: 'stranger' })

export const countedBy = (limit: string): Charge => ({ kind: 'own', limit })

export const free = (because: string): Charge => ({ kind: 'free', because })

export const preflights = free('headers alone, which browsers keep for an hour')
