// What is asked about a place, once it is checked.
import type { DayNumber } from '../base/civil-date.ts'
import type { HighLatitudeRuleName } from '../prayer/calculation/high-latitude-rules.ts'
import type { AdjustedPrayer, MethodName, OwnAngles } from '../prayer/calculation/methods.ts'

export interface PlaceQuestion extends OwnAngles {
  readonly latitude: number
  readonly longitude: number
  /** Undefined: that of the coordinates. */
  readonly timeZone: string | undefined
  /** Undefined: today on the place's clock. */
  readonly range: DayRange | undefined
  /** Undefined: that of the country. */
  readonly method: MethodName | undefined
  readonly madhab: 'shafi' | 'hanafi'
  readonly highLatitudeRule: HighLatitudeRuleName | null
  /** Metres above the horizon. */
  readonly elevation: number
  readonly adjustments: Readonly<Partial<Record<AdjustedPrayer, number>>>
}

/** Both included. */
export interface DayRange {
  readonly from: DayNumber
  readonly to: DayNumber
}
