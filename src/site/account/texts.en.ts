// English: the pages of one's own account.

export const account = {
  sections: 'Account',
  profile: 'Profile',
  apps: 'Apps',
  sessions: 'Sessions',
  activity: 'Activity',
  profileTitle: 'Your account',
  profileHeading: 'Profile',
  profileText: 'Apps that you allow to know you see this name and picture.',
  name: 'Name',
  picture: 'Picture',
  pictureHint:
    'The https address of a square PNG, JPEG or WebP of at most 512 KB and 1024 by 1024 pixels. We fetch it once and serve it ourselves.',
  language: 'Language',
  languageHint: 'For these pages and for mail.',
  emailHeading: 'Email address',
  emailNow: 'Your address is {email}.',
  newEmail: 'New email address',
  newEmailHint: 'We send a link to the new address. The old one stays until you open it.',
  changeEmail: 'Change email address',
  emailSent:
    'We have sent a link to the new address. Your address changes when you open it. The old address was notified too, with a link that undoes the change for seven days.',
  confirmEmailTitle: 'Change your email address',
  confirmEmailText: 'From now on, {email} is the address of your account.',
  confirmEmailPassword: 'You are not signed in here, so please show that the account is yours.',
  stopTitle: 'Stop the change of your email address',
  stopText: 'Somebody asked to change the address of your account from {old} to {new}. Stop it if it was not you.',
  stopButton: 'Stop the change',
  takeBackTitle: 'Take back the change of your email address',
  takeBackText:
    'The address of your account was changed. Take it back if it was not you: {old} becomes its address again.',
  takeBackButton: 'Take it back',
  stopConsequences:
    'All sessions end, the password stops working, and apps have to ask again. Then you choose a new password.',
  stopNothing: 'If it was you, close this page. Nothing happens.',
  confirmEmailButton: 'Change email address',
  emailChanged: 'Your email address was changed.',
  passwordHeading: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  changePassword: 'Change password',
  passwordText: 'All other sessions end when you change it.',
  passwordChanged: 'Your password was changed. All other sessions have ended.',
  memberSince: 'Account since {date}',
}

export const allowedApps = {
  title: 'Apps you allowed',
  text: 'These apps can act for you. Withdraw one, and its access ends at once.',
  empty: 'No app has access',
  emptyText: 'When you sign in to an app with Minaret and allow it, it is listed here.',
  allowedOn: 'Allowed on {date}',
  lastUsed: 'Last used {date}',
  by: 'by {owner}',
  does: 'What it may do:',
  changes: 'changes data',
  sees: 'What it can see of your account:',
  withdraw: 'Withdraw access',
  withdrawNamed: 'Withdraw access of {app}',
  confirmTitle: 'Withdraw the access of {app}?',
  confirmText:
    'The app is signed out at once and can no longer read or change anything for you. You can allow it again later.',
  withdrawn: 'The app no longer has access.',
}

export const sessions = {
  title: 'Where you are signed in',
  text: 'Each line is a browser in which you have signed in. End one that you do not know, and change your password.',
  thisOne: 'This browser',
  unknownBrowser: 'Unknown browser',
  browserOn: '{browser} on {system}',
  from: 'Address {address}',
  signedIn: 'Signed in {date}',
  lastSeen: 'Last seen {date}',
  end: 'End session',
  endNamed: 'End session in {browser}, last seen {date}',
  endOthers: 'End all other sessions',
  ended: 'The session has ended.',
  othersEnded: 'All other sessions have ended.',
}

export const activity = {
  title: 'What happened in your account',
  text: 'Sign-ins, changes, and what apps did for you. If something here was not you, change your password.',
  empty: 'Nothing has happened yet',
  emptyText: 'Sign-ins and changes will be listed here.',
  when: 'When',
  what: 'What',
  where: 'From',
  app: 'App',
}

export const outbox = {
  title: 'Outbox',
  text: 'In development no mail leaves this machine. What would have been sent is kept here.',
  empty: 'No mail yet',
  emptyText: 'Create an account or ask for a new password, and the message appears here.',
  to: 'To',
  subject: 'Subject',
  when: 'When',
  state: 'State',
  sent: 'Sent',
  waiting: 'Waiting',
  failed: 'Failed',
  kept: 'Kept here',
}
