// What each method means, typed from what its authority says (docs/prayer-times.md names them), not from the engine.
import type { MethodName } from '../../../src/prayer/calculation/methods.ts'

export interface Definition {
  /** Degrees below the horizon. */
  readonly fajr: number
  readonly isha: number | { readonly minutes: number; readonly inRamadan?: number }
  readonly maghrib?: number
  /** Minutes that its tables add to Fajr, sunrise, Dhuhr, Asr, Maghrib and Isha. */
  readonly added?: readonly [number, number, number, number, number, number]
  readonly roundsUp?: true
}

const leavesNoon = [0, 0, 1, 0, 0, 0] as const

export const definitions: Readonly<Record<MethodName, Definition>> = {
  Algeria: { fajr: 18, isha: 17, added: [0, 0, 1, 0, 3, 0] },
  Dubai: { fajr: 18.2, isha: 18.2, added: [0, -3, 3, 3, 3, 0] },
  Egyptian: { fajr: 19.5, isha: 17.5, added: leavesNoon },
  France12: { fajr: 12, isha: 12, added: leavesNoon },
  France15: { fajr: 15, isha: 15, added: leavesNoon },
  France18: { fajr: 18, isha: 18, added: leavesNoon },
  Gulf: { fajr: 19.5, isha: { minutes: 90 } },
  Jafari: { fajr: 16, isha: 14, maghrib: 4 },
  Jakim: { fajr: 18, isha: 18, added: [2, -1, 2, 1, 1, 1], roundsUp: true },
  Jordan: { fajr: 18, isha: 18, added: [0, 0, 1, 0, 5, 0] },
  Karachi: { fajr: 18, isha: 18, added: leavesNoon },
  Kemenag: { fajr: 20, isha: 18, added: [2, -4, 3, 2, 3, 2], roundsUp: true },
  Kuwait: { fajr: 18, isha: 17.5 },
  Lisbon: { fajr: 18, isha: { minutes: 80 }, added: [0, 0, 1, 0, 3, 0] },
  MoonsightingCommittee: { fajr: 18, isha: 18, added: [0, 0, 5, 0, 3, 0] },
  Morocco: { fajr: 19, isha: 17, added: [0, -3, 5, 0, 5, 0] },
  MuslimWorldLeague: { fajr: 18, isha: 17, added: leavesNoon },
  NorthAmerica: { fajr: 15, isha: 15, added: leavesNoon },
  Other: { fajr: 17.5, isha: 15.5, maghrib: 3.5 },
  Qatar: { fajr: 18, isha: { minutes: 90 } },
  Russia: { fajr: 16, isha: 15, added: leavesNoon },
  Singapore: { fajr: 20, isha: 18, added: leavesNoon, roundsUp: true },
  Tehran: { fajr: 17.7, isha: 14, maghrib: 4.5 },
  Tunisia: { fajr: 18, isha: 18, added: leavesNoon },
  Turkey: { fajr: 18, isha: 17, added: [0, -7, 5, 4, 7, 0] },
  UmmAlQura: { fajr: 18.5, isha: { minutes: 90, inRamadan: 120 } },
}

/** The angles and minutes that a place sends with the method Other, as above. */
export const ownAngles = { fajr_angle: 17.5, isha_angle: 15.5, isha_minutes: null, maghrib_angle: 3.5 } as const
