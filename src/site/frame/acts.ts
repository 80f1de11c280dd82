// Every form that people can send → whether they have to show again who they are first, or why not. A route on neither list
// cannot be added.

/**
 * What changes how one gets into an account or where it is reached, what takes all of its data along or erases it, the
 * secrets, keys, addresses, scopes and team of one's own apps, and what others may do.
 */
const asking: readonly string[] = [
  '/account/data/erase',
  '/account/data/export',
  '/account/email',
  '/account/password',
  '/account/security/app',
  '/account/security/app/begin',
  '/account/security/app/remove',
  '/account/security/codes',
  '/account/security/passkeys/:id/remove',
  '/account/security/passkeys/new',
  '/account/security/password/off',
  '/account/security/providers/:id/unlink',
  '/account/security/providers/:name/link',
  '/admin/audit/export',
  '/admin/changes/export',
  '/admin/masjids/:id/verification',
  '/admin/signing-keys/rotate',
  '/admin/users/:id/disable',
  '/admin/users/:id/enable',
  '/admin/users/:id/end-sessions',
  '/admin/users/:id/reset-factors',
  '/admin/users/:id/rights',
  '/confirm-email',
  '/console/apps',
  '/console/apps/:id/bound-tokens',
  '/console/apps/:id/delete',
  '/console/apps/:id/development/secrets',
  '/console/apps/:id/edit',
  '/console/apps/:id/keys',
  '/console/apps/:id/keys/:item/limit',
  '/console/apps/:id/lifetimes',
  '/console/apps/:id/reinstate',
  '/console/apps/:id/secrets',
  '/console/apps/:id/sign-outs',
  '/console/apps/:id/signing-keys',
  '/console/apps/:id/signing-keys/stop',
  '/console/apps/:id/team/:item/remove',
  '/console/apps/:id/team/:item/role',
  '/console/apps/:id/team/invite',
  '/console/apps/:id/test-key',
  '/console/apps/:id/webhooks/:item/edit',
  '/console/apps/:id/webhooks/:item/enable',
  '/console/apps/:id/webhooks/:item/rotate',
  '/console/apps/:id/webhooks/new',
  '/staff/:slug/people/export',
  '/staff/:slug/team/invitations/:id/again',
  '/staff/:slug/team/invite',
  '/staff/:slug/team/people/:id',
]

/** Pages of such forms that ask when they are opened. */
const askingPages: readonly string[] = [
  '/account/data/erase',
  '/account/security/app',
  '/account/security/app/remove',
  '/account/security/passkeys/new',
  '/account/security/password/off',
  '/staff/:slug/team/people/:id',
]

/** The field in which the form asks for the password itself: where there is no second factor, that is the proof. */
const passwordFields: Readonly<Record<string, string>> = {
  '/account/email': 'email_password',
  '/account/password': 'current_password',
}

const calm: readonly { readonly because: string; readonly paths: readonly string[] }[] = [
  {
    because: 'signs in, with proof of its own',
    paths: [
      '/sign-in',
      '/sign-in/again',
      '/sign-in/again/with/:name',
      '/sign-in/passkey',
      '/sign-in/second-factor',
      '/sign-in/with/:name',
    ],
  },
  {
    because: 'the link in a mail is the proof, or it only sends one',
    paths: ['/confirm', '/forgot-password', '/keep-account', '/reset-password', '/sign-up', '/stop-email-change'],
  },
  {
    because: 'signs out',
    paths: [
      '/account/sessions/:id/end',
      '/account/sessions/end-all',
      '/account/sessions/end-others',
      '/oauth/logout/confirm',
      '/sign-out',
    ],
  },
  {
    because: 'withdraws or stops something: nobody is to be kept from that',
    paths: [
      '/account/apps/:id/withdraw',
      '/account/security/devices/:id/forget',
      '/console/apps/:id/change/withdraw',
      '/console/apps/:id/development/secrets/:item/revoke',
      '/console/apps/:id/keys/:item/revoke',
      '/console/apps/:id/secrets/:item/revoke',
      '/console/apps/:id/suspend',
      '/console/apps/:id/team/invitations/:item/withdraw',
      '/console/apps/:id/team/leave',
      '/console/apps/:id/webhooks/:item/delete',
      '/console/apps/:id/webhooks/:item/disable',
      '/staff/:slug/screens/:id/revoke',
      '/staff/:slug/team/invitations/:id/withdraw',
      '/staff/requests/:id/withdraw',
    ],
  },
  {
    because: 'consent, or an invitation: what others asked for is allowed or not, and can be withdrawn',
    paths: ['/console/invitations/:token', '/device', '/device/decide', '/invitations/:token', '/oauth/consent'],
  },
  {
    because: 'gives access to nothing: names, notes, drafts, and what is sent to addresses that are known already',
    paths: [
      '/account/profile',
      '/account/security/passkeys/:id/name',
      '/account/security/passkeys/offer/decline',
      '/console/apps/:id/messages',
      '/console/apps/:id/queries',
      '/console/apps/:id/queries/:item/delete',
      '/console/apps/:id/start',
      '/console/apps/:id/webhooks/:item/deliveries/:delivery/replay',
      '/console/apps/:id/webhooks/:item/replay',
      '/console/apps/:id/webhooks/:item/test',
      '/console/drafts',
      '/console/drafts/:item/discard',
    ],
  },
  {
    because: 'a reviewer decides about apps and masjids of others: recorded, and can be decided again',
    paths: [
      '/review/apps/:id/approve',
      '/review/apps/:id/claims',
      '/review/apps/:id/masjids',
      '/review/apps/:id/messages',
      '/review/apps/:id/notes',
      '/review/apps/:id/reinstate',
      '/review/apps/:id/reject',
      '/review/apps/:id/request-changes',
      '/review/apps/:id/suspend',
      '/review/changes/:id/approve',
      '/review/changes/:id/reject',
      '/review/hosts',
      '/review/masjids/:id/approve',
      '/review/masjids/:id/reject',
      '/staff/claim/:id',
      '/staff/register',
    ],
  },
  {
    because: "the daily work at a masjid: recorded in the masjid's history, and can be undone",
    paths: [
      '/staff/:slug/announcements/:id',
      '/staff/:slug/announcements/:id/delete',
      '/staff/:slug/announcements/:id/end',
      '/staff/:slug/announcements/:id/restore',
      '/staff/:slug/announcements/new',
      '/staff/:slug/details',
      '/staff/:slug/events/:id',
      '/staff/:slug/events/:id/delete',
      '/staff/:slug/events/:id/restore',
      '/staff/:slug/events/dates/:id/cancel',
      '/staff/:slug/events/dates/:id/keep',
      '/staff/:slug/events/new',
      '/staff/:slug/giving/:id/reverse',
      '/staff/:slug/giving/campaigns/:id',
      '/staff/:slug/giving/campaigns/new',
      '/staff/:slug/giving/import',
      '/staff/:slug/giving/new',
      '/staff/:slug/people/:id',
      '/staff/:slug/people/:id/consent',
      '/staff/:slug/people/:id/delete',
      '/staff/:slug/people/:id/household',
      '/staff/:slug/people/:id/restore',
      '/staff/:slug/people/households/:id',
      '/staff/:slug/people/households/:id/delete',
      '/staff/:slug/people/households/:id/restore',
      '/staff/:slug/people/households/new',
      '/staff/:slug/people/import',
      '/staff/:slug/people/new',
      '/staff/:slug/screens/:id',
      '/staff/:slug/times/drafts/:draft',
      '/staff/:slug/times/drafts/:draft/publish',
      '/staff/:slug/times/drafts/:draft/remove',
      '/staff/:slug/times/published/:timetable/rules',
      '/staff/:slug/times/published/:timetable/undo',
      '/staff/:slug/times/sheets',
      '/staff/:slug/times/sources/:source/fetch',
      '/staff/:slug/times/sources/:source/stop',
      '/staff/:slug/week/cancel',
      '/staff/:slug/week/edit',
      '/staff/:slug/week/follow',
      '/staff/:slug/week/month',
      '/staff/:slug/week/month/withdraw',
      '/staff/:slug/week/preview',
      '/staff/:slug/week/publish',
      '/staff/:slug/week/undo',
    ],
  },
]

export const actsThatAsk: ReadonlySet<string> = new Set(asking)

/** With the reason. */
export const actsThatNeverAsk: ReadonlyMap<string, string> = new Map(
  calm.flatMap(({ because, paths }) => paths.map(path => [path, because] as const)),
)

export const pagesThatAsk: ReadonlySet<string> = new Set(askingPages)

export const passwordFieldOf = (path: string): string | undefined => passwordFields[path]
