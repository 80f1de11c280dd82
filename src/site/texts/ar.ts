// The Arabic catalogue.

import { ownData } from '../account/own-data/texts.ar.ts'
import { takeBack } from '../account/take-back/texts.ar.ts'
import { account, activity, allowedApps, outbox, sessions } from '../account/texts.ar.ts'
import { adminMasjids } from '../admin/masjids/texts.ar.ts'
import { adminOverview } from '../admin/overview/texts.ar.ts'
import { admin } from '../admin/texts.ar.ts'
import { auditEvents } from '../audit/texts.ar.ts'
import { consent, scopes } from '../consent/texts.ar.ts'
import { boundTokens } from '../console/bound-tokens/texts.ar.ts'
import { development } from '../console/development/texts.ar.ts'
import { drafts } from '../console/drafts/texts.ar.ts'
import { keyLimit } from '../console/key-limit/texts.ar.ts'
import { requests } from '../console/requests/texts.ar.ts'
import { selfDescribed } from '../console/self-described/texts.ar.ts'
import { signing } from '../console/signing/texts.ar.ts'
import { team } from '../console/team/texts.ar.ts'
import {
  appFaults,
  appForm,
  appHistory,
  console,
  credentials,
  firstQuery,
  lifetimes,
  nextSteps,
  stopApp,
  usage,
} from '../console/texts.ar.ts'
import { webhooks } from '../console/webhooks/texts.ar.ts'
import { conversation } from '../conversation/texts.ar.ts'
import { dataChanges } from '../data-changes/texts.ar.ts'
import { device } from '../device/texts.ar.ts'
import { factors } from '../factors/texts.ar.ts'
import { finder } from '../find/texts.ar.ts'
import { hall } from '../hall/texts.ar.ts'
import { logout } from '../logout/texts.ar.ts'
import { masjidPage } from '../masjid/texts.ar.ts'
import { image } from '../picture/texts.ar.ts'
import { providers } from '../providers/texts.ar.ts'
import { reviewHosts } from '../review/hosts/texts.ar.ts'
import { review } from '../review/texts.ar.ts'
import { rsvp } from '../rsvp/texts.ar.ts'
import { screen } from '../screen/texts.ar.ts'
import { fieldFaults, reset, signIn, signUp } from '../sign-in/texts.ar.ts'
import { staffAnnouncements } from '../staff/announcements/texts.ar.ts'
import { staffChanges } from '../staff/changes/texts.ar.ts'
import { staffDetails } from '../staff/details/texts.ar.ts'
import { staffEvents } from '../staff/events/texts.ar.ts'
import { staffGiving } from '../staff/giving/texts.ar.ts'
import { staffPeople } from '../staff/people/texts.ar.ts'
import { print } from '../staff/print/texts.ar.ts'
import { masjidRequest } from '../staff/request/texts.ar.ts'
import { staffScreens } from '../staff/screens/texts.ar.ts'
import { staffTeam } from '../staff/team/texts.ar.ts'
import { staff } from '../staff/texts.ar.ts'
import { staffTimes } from '../staff/times/texts.ar.ts'
import { week } from '../staff/week/texts.ar.ts'
import { common } from './common.ar.ts'
import type { Texts } from './en.ts'
import { errors } from './errors.ar.ts'

export const ar: Texts = {
  languageName: 'العربية',
  common,
  signIn,
  signUp,
  reset,
  fieldFaults,
  account,
  ownData,
  takeBack,
  allowedApps,
  sessions,
  activity,
  auditEvents,
  outbox,
  factors,
  providers,
  consent,
  device,
  screen,
  rsvp,
  logout,
  scopes,
  errors,
  console,
  appForm,
  appFaults,
  image,
  credentials,
  firstQuery,
  drafts,
  requests,
  selfDescribed,
  nextSteps,
  development,
  signing,
  boundTokens,
  keyLimit,
  team,
  webhooks,
  usage,
  appHistory,
  lifetimes,
  stopApp,
  review,
  conversation,
  reviewHosts,
  admin,
  adminMasjids,
  adminOverview,
  dataChanges,
  staff,
  staffAnnouncements,
  staffEvents,
  staffGiving,
  staffPeople,
  staffScreens,
  staffTeam,
  masjidRequest,
  hall,
  week,
  print,
  staffTimes,
  staffDetails,
  staffChanges,
  masjidPage,
  finder,
}
