// English: what an app asks for, in words for the person who decides.
import type { Scope } from '../../access/scopes.ts'

export const consent = {
  returning: 'Returning to the app',
  returnButton: 'Go on',
  title: '{app} asks for access',
  heading: '{app} would like to',
  signedInAs: 'You are signed in as {email}.',
  otherAccount: 'Use another account',
  madeBy: 'Made by',
  state: 'Review',
  development: 'in development',
  developmentHint:
    'This is the development client of an app of your team. It reads invented sandbox data only; of your own account it sees what is listed below.',
  homePage: 'Home page',
  returnsTo: 'You return to',
  reviewed: 'Reviewed and approved by this service',
  sees: 'What it will see of your account',
  claims: { sub: 'User identifier', email: 'Email address', name: 'Name', picture: 'Picture' },
  subHint: 'A code that stands for your account, so that it recognises you next time.',
  pictureHint: 'The picture of your account, or one drawn from the identifier.',
  registered: 'Registered redirect URIs',
  registeredHint: 'Only you see them here, as the owner of this app.',
  registeredNext: 'Send exactly one of these, or request a change to the app.',
  toSettings: 'Change the app',
  newScope: 'new',
  mayChange: 'It could also make changes for you',
  mayChangeHint: 'Only where you may make them yourself. Every change is recorded with your name and the app.',
  describesItself: 'Nobody has registered this app here. It describes itself at',
  knowHost: 'Allow it only if you know this address and came from there.',
  ownOnly:
    'Until this service has approved the address, the app reaches public information and what is your own, not what you see of others at a masjid.',
  loopback:
    'You return to a program on your own computer. Any program on it can claim to be this app: allow it only if you have just started it yourself.',
  strangerTitle: 'This request cannot go on',
  strangerText: 'This service has not checked the app, and you have not allowed it anything.',
  strangerFault: 'What the app would be told: {code}',
  strangerHint: 'Go back only if you know this address and came from there.',
  strangerBack: 'Go back to {place}',
  allow: 'Allow',
  deny: 'Deny',
  withdrawHint: 'You can withdraw this at any time under Your account, Apps.',
  expired: 'This request has expired. Go back to the app and start again.',
}

export const scopes = {
  openid: { title: 'Know who you are', opens: 'Your user identifier, so that it recognises you next time.' },
  profile: { title: 'See your name and picture', opens: 'The name and picture of your account.' },
  email: { title: 'See your email address', opens: 'The address of your account.' },
  offline_access: {
    title: 'Stay connected',
    opens: 'Do what is listed here also when you are not using the app, until you withdraw it.',
  },
  'masjid:read': {
    title: 'Read the masjid directory',
    opens: 'Names, addresses and facilities of masjids, and the organisations behind them.',
  },
  'events:read': { title: 'Read community events', opens: 'Events, their dates, and how many people are coming.' },
  'prayer-times:read': { title: 'Read prayer times', opens: 'Calculated times, iqamah schedules and their sources.' },
  'donations:read': {
    title: 'Read donations',
    opens: 'Your own donations, and those of masjids where you are on the board or an admin.',
  },
  'members:read': {
    title: 'Read members and households',
    opens: 'Your own membership and household, and those of masjids where you are on the board or an admin.',
  },
  'masjid:write': {
    title: 'Change the masjid directory',
    opens: 'Addresses, facilities and other details of masjids that you look after.',
  },
  'events:write': {
    title: 'Change community events',
    opens:
      'Answer events for you and see what you answered, and announce, change or cancel events of masjids that you look after.',
  },
  'prayer-times:write': {
    title: 'Change prayer times',
    opens: 'Iqamah schedules, announced months and sources of masjids that you look after.',
  },
  'donations:write': {
    title: 'Change campaigns and record donations',
    opens: 'Campaigns and received gifts of masjids that you look after. It cannot take money from you.',
  },
  'members:write': {
    title: 'Change members and households',
    opens: 'Your own entry, and members and households of masjids that you look after.',
  },
} satisfies Readonly<Record<Scope, { readonly title: string; readonly opens: string }>>
