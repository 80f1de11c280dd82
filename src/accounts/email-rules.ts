// A typed email address, name or picture → what is wrong with it, or nothing.
import { isPlainLine } from '../base/plain-text.ts'
import { isFetchable } from '../outbound/check-saved-address.ts'

const LONGEST_EMAIL = 254
const LONGEST_NAME = 100

/** Deliberately loose: the confirmation mail shows whether an address works. */
const shape = /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\].]{2,}$/u

export type EmailFault = 'email_missing' | 'email_wrong'

/** Those of erased accounts (`replacementFor`), which the database keeps for them. */
const ofErased = /@erased\.invalid$/i

export const checkEmail = (email: string): EmailFault | undefined => {
  if (email === '') return 'email_missing'
  return shape.test(email) && !ofErased.test(email) && isPlainLine(email) && email.length <= LONGEST_EMAIL
    ? undefined
    : 'email_wrong'
}

export type NameFault = 'name_missing' | 'name_long' | 'name_odd'

export const checkName = (name: string): NameFault | undefined => {
  if (name === '') return 'name_missing'
  if (!isPlainLine(name)) return 'name_odd'
  return [...name].length <= LONGEST_NAME ? undefined : 'name_long'
}

/** The same for every spelling of an address: the key that limits count by. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** Checked because pictures are shown to others. */
export const checkPicture = (picture: string): 'picture_wrong' | undefined =>
  picture === '' || isFetchable(picture) ? undefined : 'picture_wrong'
