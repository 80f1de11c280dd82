// The Arabic catalogue.
import { account, activity, allowedApps, outbox, sessions } from './ar/account.ts'
import { admin } from './ar/admin.ts'
import { auditEvents } from './ar/audit.ts'
import { common } from './ar/common.ts'
import { consent, scopes } from './ar/consent.ts'
import { appFaults, appForm, appHistory, console, credentials, firstQuery, stopApp, usage } from './ar/console.ts'
import { errors } from './ar/errors.ts'
import { logout } from './ar/logout.ts'
import { review } from './ar/review.ts'
import { fieldFaults, reset, signIn, signUp } from './ar/sign-in.ts'
import type { Texts } from './en.ts'

export const ar: Texts = {
  languageName: 'العربية',
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
