// How a screen looks: its settings, with what holds where nothing was chosen.

export const screenLanguages = ['en', 'ar', 'en-ar', 'ar-en'] as const

/** Besides prayers and sunrise, the times in the table of a screen. */
export const otherTimes = {
  none: [],
  imsak: ['imsak'],
  night: ['imsak', 'midnight', 'last_third'],
} as const

export type OtherTime = (typeof otherTimes)['night'][number]

export interface ScreenSettings {
  readonly language: (typeof screenLanguages)[number]
  readonly clock: '24' | '12'
  readonly type: 'normal' | 'large'
  /** Colours as `#0b1a16`. */
  readonly ground: string
  readonly accent: string
  /** The https address of an image that is fetched once. */
  readonly logo: string | null
  /** How long the screen is dark from each iqamah on; 0: never. */
  readonly dark_minutes: number
  readonly other_times: keyof typeof otherTimes
}

const usualSettings: ScreenSettings = {
  language: 'en',
  clock: '24',
  type: 'normal',
  ground: '#0b1a16',
  accent: '#74d2b6',
  logo: null,
  dark_minutes: 10,
  other_times: 'none',
}

export const withUsual = (settings: Partial<ScreenSettings>): ScreenSettings => ({ ...usualSettings, ...settings })
