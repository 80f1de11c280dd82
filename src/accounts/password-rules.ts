// A new password → what is wrong with it, or nothing.
import { commonPasswords } from './common-passwords.ts'

export type PasswordFault =
  | 'password_missing'
  | 'password_short'
  | 'password_long'
  | 'password_common'
  | 'password_personal'
  | 'password_pattern'

export const SHORTEST_PASSWORD = 10
export const LONGEST_PASSWORD = 200

export interface Owner {
  readonly email: string
  readonly name: string
}

const sequences = ['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** The whole password follows one row of keys, forwards or backwards. */
const isSequence = (text: string): boolean =>
  sequences.some(row => row.includes(text) || [...row].reverse().join('').includes(text))

/** Fewer than four different characters, or a part of up to five characters repeated. */
const isRepetition = (text: string): boolean => new Set(text).size < 4 || /^(.{1,5}?)\1+.{0,4}$/su.test(text)

const letters = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** A name or address with little else around it. */
const isAbout = (password: string, personal: string): boolean => {
  const word = letters(personal)
  return word.length >= 4 && password.includes(word) && password.length - word.length < 6
}

const isPersonal = (password: string, { email, name }: Owner): boolean => {
  const [mailbox = '', domain = ''] = email.split('@')
  return [email, mailbox, domain, name, ...name.split(/\s+/)].some(word => isAbout(password, word))
}

const isCommon = (password: string): boolean =>
  commonPasswords.has(password.toLowerCase()) || commonPasswords.has(letters(password))

export const checkPassword = (password: string, owner: Owner): PasswordFault | undefined => {
  const length = [...password].length
  const plain = letters(password)
  if (length === 0) return 'password_missing'
  if (length < SHORTEST_PASSWORD) return 'password_short'
  if (length > LONGEST_PASSWORD) return 'password_long'
  if (isSequence(password.toLowerCase()) || isRepetition(password.toLowerCase())) return 'password_pattern'
  if (isCommon(password)) return 'password_common'
  return isPersonal(plain, owner) ? 'password_personal' : undefined
}
