// The English catalogue; its shape is the one that every other language must fill.
import { account, activity, allowedApps, outbox, sessions } from './en/account.ts'
import { admin } from './en/admin.ts'
import { auditEvents } from './en/audit.ts'
import { common } from './en/common.ts'
import { consent, scopes } from './en/consent.ts'
import { appFaults, appForm, appHistory, console, credentials, firstQuery, stopApp, usage } from './en/console.ts'
import { errors } from './en/errors.ts'
import { logout } from './en/logout.ts'
import { review } from './en/review.ts'
import { fieldFaults, reset, signIn, signUp } from './en/sign-in.ts'

export const en = {
  languageName: 'English',
  common,
  signIn,
  signUp,
  reset,
  fieldFaults,
  account,
  allowedApps,
  sessions,
  activity,
  auditEvents,
  outbox,
  consent,
  logout,
  scopes,
  errors,
  console,
  appForm,
  appFaults,
  credentials,
  firstQuery,
  usage,
  appHistory,
  stopApp,
  review,
  admin,
}

/** A text that a catalogue lacks is a type error. */
export type Texts = typeof en
