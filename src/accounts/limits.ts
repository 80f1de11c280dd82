// How often people may try to sign in and sign up, and how often they are sent mail.
import { type Counting, createLimits, type Limit, type LimitRule } from '../base/limit.ts'

/**
 * An address, an account, and the account from one address. The account alone is counted generously, so that a stranger
 * cannot easily lock its owner out. Unknown email addresses count like known ones, so that the response reveals nothing.
 */
const rules = {
  signInPerAddress: { tries: 60, seconds: 600 },
  signInPerAccount: { tries: 100, seconds: 3600 },
  signInPerAccountAndAddress: { tries: 10, seconds: 900 },
  signUpPerAddress: { tries: 20, seconds: 3600 },
  mailPerRecipient: { tries: 5, seconds: 3600 },
  guestAnswerPerNetwork: { tries: 20, seconds: 3600 },
  emailChangePerUser: { tries: 5, seconds: 3600 },
  exportPerUser: { tries: 5, seconds: 3600 },
  passwordPerUser: { tries: 10, seconds: 900 },
} as const satisfies Record<string, LimitRule>

export type AccountLimits = Readonly<Record<keyof typeof rules, Limit>>

export const createAccountLimits = (counting: Counting | undefined): AccountLimits => createLimits(rules, counting)
