// The English catalogue; every other language must have the same shape.

import { ownData } from '../account/own-data/texts.en.ts'
import { takeBack } from '../account/take-back/texts.en.ts'
import { account, activity, allowedApps, outbox, sessions } from '../account/texts.en.ts'
import { adminMasjids } from '../admin/masjids/texts.en.ts'
import { adminOverview } from '../admin/overview/texts.en.ts'
import { admin } from '../admin/texts.en.ts'
import { auditEvents } from '../audit/texts.en.ts'
import { consent, scopes } from '../consent/texts.en.ts'
import { boundTokens } from '../console/bound-tokens/texts.en.ts'
import { development } from '../console/development/texts.en.ts'
import { drafts } from '../console/drafts/texts.en.ts'
import { keyLimit } from '../console/key-limit/texts.en.ts'
import { requests } from '../console/requests/texts.en.ts'
import { selfDescribed } from '../console/self-described/texts.en.ts'
import { signing } from '../console/signing/texts.en.ts'
import { team } from '../console/team/texts.en.ts'
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
} from '../console/texts.en.ts'
import { webhooks } from '../console/webhooks/texts.en.ts'
import { conversation } from '../conversation/texts.en.ts'
import { dataChanges } from '../data-changes/texts.en.ts'
import { device } from '../device/texts.en.ts'
import { factors } from '../factors/texts.en.ts'
import { finder } from '../find/texts.en.ts'
import { hall } from '../hall/texts.en.ts'
import { logout } from '../logout/texts.en.ts'
import { masjidPage } from '../masjid/texts.en.ts'
import { image } from '../picture/texts.en.ts'
import { providers } from '../providers/texts.en.ts'
import { reviewHosts } from '../review/hosts/texts.en.ts'
import { review } from '../review/texts.en.ts'
import { rsvp } from '../rsvp/texts.en.ts'
import { screen } from '../screen/texts.en.ts'
import { fieldFaults, reset, signIn, signUp } from '../sign-in/texts.en.ts'
import { staffAnnouncements } from '../staff/announcements/texts.en.ts'
import { staffChanges } from '../staff/changes/texts.en.ts'
import { staffDetails } from '../staff/details/texts.en.ts'
import { staffEvents } from '../staff/events/texts.en.ts'
import { staffGiving } from '../staff/giving/texts.en.ts'
import { staffPeople } from '../staff/people/texts.en.ts'
import { print } from '../staff/print/texts.en.ts'
import { masjidRequest } from '../staff/request/texts.en.ts'
import { staffScreens } from '../staff/screens/texts.en.ts'
import { staffTeam } from '../staff/team/texts.en.ts'
import { staff } from '../staff/texts.en.ts'
import { staffTimes } from '../staff/times/texts.en.ts'
import { week } from '../staff/week/texts.en.ts'
import { common } from './common.en.ts'
import { errors } from './errors.en.ts'

export const en = {
  languageName: 'English',
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

/** A text missing from a catalogue is a type error. */
export type Texts = typeof en
