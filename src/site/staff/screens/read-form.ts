// The settings of a screen as typed → checked values, or what is wrong with each.
import { isFetchable } from '../../../outbound/check-saved-address.ts'
import { type ScreenSettings, screenLanguages } from '../../../screens/settings.ts'
import { isScreenName } from '../../device/screen-decision.ts'
import type { FormValues } from '../../frame/form-body.ts'
import type { Texts } from '../../texts/texts.ts'
import { faultWords } from '../fault-words.ts'
import { notOffered } from '../not-offered.ts'

/** As typed. */
export type ScreenValues = Readonly<Record<'name' | keyof ScreenSettings, string>>

export type ScreenFaults = Readonly<Partial<Record<keyof ScreenValues, string>>>

export const clockChoices = ['24', '12'] as const
export const typeChoices = ['normal', 'large'] as const
export const otherChoices = ['none', 'imsak', 'night'] as const satisfies readonly ScreenSettings['other_times'][]

const names = ['name', 'language', 'clock', 'type', 'ground', 'accent', 'logo', 'dark_minutes', 'other_times'] as const

/** A page that was opened before there was a choice of other times has none. */
export const readValues = (form: FormValues): ScreenValues => {
  const values = Object.fromEntries(names.map(name => [name, form.text(name)])) as ScreenValues
  return { ...values, other_times: values.other_times || 'none' }
}

export const valuesOf = (name: string, settings: ScreenSettings): ScreenValues => ({
  ...settings,
  name,
  logo: settings.logo ?? '',
  dark_minutes: String(settings.dark_minutes),
})

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** WCAG 2.2, relative luminance. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left)
  return (light + 0.05) / (dark + 0.05)
}

/** The softest words on the screen, and the lightest row that they stand in. */
const SOFT_INK = '#c3cfc8'
const LEAST_CONTRAST = 7

const colourFaults = ({ ground, accent }: ScreenValues, { staffScreens: words }: Texts): ScreenFaults => {
  if (!isColour(ground)) return { ground: words.colourFault }
  if (!isColour(accent)) return { accent: words.colourFault }
  if (contrast(SOFT_INK, ground) < LEAST_CONTRAST) return { ground: words.groundFault }
  return contrast(accent, ground) < LEAST_CONTRAST ? { accent: words.accentFault } : {}
}

export const faultsIn = (values: ScreenValues, texts: Texts): ScreenFaults => {
  const { staffScreens: words } = texts
  const minutes = Number(values.dark_minutes)
  const isDark = /^\d{1,2}$/.test(values.dark_minutes) && minutes <= 60
  const choices = notOffered(values, {
    language: screenLanguages,
    clock: clockChoices,
    type: typeChoices,
    other_times: otherChoices,
  })
  return {
    ...faultWords({ notOffered: texts.common.notOffered }, choices),
    ...(isScreenName(values.name) ? {} : { name: words.nameFault }),
    ...colourFaults(values, texts),
    ...(values.logo === '' || isFetchable(values.logo) ? {} : { logo: words.logoFault }),
    ...(isDark ? {} : { dark_minutes: words.darkFault }),
  }
}

/** Of values without faults. */
export const settingsOf = (values: ScreenValues): ScreenSettings => ({
  language: values.language as ScreenSettings['language'],
  clock: values.clock as ScreenSettings['clock'],
  type: values.type as ScreenSettings['type'],
  ground: values.ground.toLowerCase(),
  accent: values.accent.toLowerCase(),
  logo: values.logo === '' ? null : values.logo,
  dark_minutes: Number(values.dark_minutes),
  other_times: values.other_times as ScreenSettings['other_times'],
})
