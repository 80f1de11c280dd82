// Names, addresses, numbers and days as people type them → the spelling that the database keeps.
import { instantOf } from '../base/local-time.ts'

export const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const zeros = ['٠', '۰']

/** Arabic and Persian digits → 0 to 9. */
export const asciiDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/g, digit => {
    const zero = zeros.find(first => digit >= first && digit.charCodeAt(0) - first.charCodeAt(0) < 10) ?? digit
    return String(digit.charCodeAt(0) - zero.charCodeAt(0))
  })

/** As `is_email` of the database. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^@\s<>",;]+@[^@\s<>",;.]+(\.[^@\s<>",;.]+)+$/.test(text)

/** As `is_phone` of the database. */
export const isPhone = (text: string): boolean => /^\+?[0-9(][0-9 ()./-]{4,29}$/.test(text)

export const isDay = (text: string): boolean =>
  /^(19|20)\d\d-\d\d-\d\d$/.test(text) && instantOf(`${text}T12:00`, 'UTC') !== undefined
