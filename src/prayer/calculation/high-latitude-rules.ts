// What stands for Fajr and Isha far north and south: the rules by name, as in pc_high_latitude_rule.
import { HighLatitudeRule } from 'adhan'

/** They bound Fajr and Isha by a part of the night all year, on days too when the sun reaches the angle. */
export const boundingRules = {
  middle_of_the_night: HighLatitudeRule.MiddleOfTheNight,
  seventh_of_the_night: HighLatitudeRule.SeventhOfTheNight,
  twilight_angle: HighLatitudeRule.TwilightAngle,
} as const

/** Under these, what the sun does not give comes from the same longitude at this latitude. */
export const referenceLatitudes = { nearest_latitude_45: 45, nearest_latitude_48_5: 48.5 } as const

export type HighLatitudeRuleName = keyof typeof boundingRules | keyof typeof referenceLatitudes | 'nearest_day' | 'none'

/** Null: the angle whenever the sun reaches it, a part of the night otherwise. */
export const highLatitudeRules: readonly (HighLatitudeRuleName | null)[] = [
  null,
  'middle_of_the_night',
  'seventh_of_the_night',
  'twilight_angle',
  'nearest_latitude_45',
  'nearest_latitude_48_5',
  'nearest_day',
  'none',
]

export const isBounding = (rule: HighLatitudeRuleName | null): boolean => rule !== null && rule in boundingRules

const bounding = Object.keys(boundingRules) as (keyof typeof boundingRules)[]

/** A part of the night as adhan has it → its name. */
export const partOfNightName = (rule: unknown): keyof typeof boundingRules =>
  bounding.find(name => boundingRules[name] === rule) ?? 'seventh_of_the_night'
