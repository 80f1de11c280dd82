// An invitation by mail → which account may accept it.
import { Fault } from '../base/fault.ts'
import { emailKey } from './email-rules.ts'
import type { User } from './users.ts'

/** The one with the invited address, once that is confirmed. */
export const isInvited = (
  { email }: { readonly email: string },
  user: Pick<User, 'email' | 'emailVerified'>,
): boolean => user.emailVerified && emailKey(user.email) === emailKey(email)

export const inviteeRefused = (): Fault =>
  new Fault({ code: 'forbidden', status: 403, message: 'This invitation is for another account.' })
