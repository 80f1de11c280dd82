// The code that a device shows and a person types (RFC 8628 section 6.1): 8 letters, made, shown and read.
import { randomInt } from 'node:crypto'

/** No vowels, so that no words come out, and no digits that look like letters. 20 ** 8 codes. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

const wellFormed = new RegExp(`^[${LETTERS}]{${LENGTH}}$`)

export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** `WDJBMJHT` → `WDJB-MJHT` */
export const showUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

/** As people type it: case, dashes and spaces do not matter. Undefined if it cannot be a code. */
export const readUserCode = (typed: string): string | undefined => {
  const code = typed.toUpperCase().replaceAll(/[\s\p{Dash}_.]/gu, '')
  return wellFormed.test(code) ? code : undefined
}
