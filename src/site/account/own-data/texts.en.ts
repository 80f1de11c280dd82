// English: downloading one's own data, and erasing the account.
import type { PluralForms } from '../../../base/in-words.ts'

export const ownData = {
  section: 'Your data',
  title: 'Your data',
  text: 'What is kept about you is yours: take it with you, or have it erased.',
  links: {
    heading: 'A masjid links you to one of its members',
    text: '{masjid} says since {date} that this account belongs to one of its members. If you accept, the gifts, answers to events and household that it keeps about that member are shown to you, and are erased with your account. Accept only if you know the masjid and are that member. Until then you see nothing of it.',
    accept: 'Accept',
    again: 'Check again',
    decline: 'Decline',
    done: {
      linked: 'Your account is linked. You now see what the masjid keeps about you.',
      waits:
        'You have accepted. The link opens once your confirmed email address has been on record at the masjid for 30 days, put there by somebody else than who linked you; then choose “Check again” here. Or a second person who manages capabilities there confirms it.',
      declined: 'Declined. The masjid’s records are as before.',
    },
  },
  exportHeading: 'Download your data',
  exportText:
    'A ZIP file with everything kept about you, as JSON and CSV: your account, memberships, gifts, answers to events, the apps you allowed and what they read.',
  exportButton: 'Prepare the download',
  readyTitle: 'Your download is ready',
  readyText: 'The link works once, in this browser, for an hour. The file contains personal data: keep it safe.',
  download: 'Download the ZIP file',
  back: 'Back to your data',
  eraseHeading: 'Erase your account',
  eraseText: 'See first what is erased and what is kept. You have {count} to change your mind.',
  eraseOpen: 'Erase the account …',
  eraseTitle: 'Erase your account',
  eraseLead:
    'You are signed out everywhere at once, and no app can act for you any more. After {count} the data is erased for good. Until then, a link that we send to {email} keeps the account.',
  blockedTitle: 'This has to be settled first',
  blockedApps:
    'You are the only owner of these apps. Invite another owner to the team of each in the console, or delete it there:',
  blockedMasjids: 'Nobody else manages these masjids. Give another person the capability “capabilities” there:',
  deletedTitle: 'Erased',
  anonymisedTitle: 'Made anonymous',
  keptTitle: 'Kept',
  because: '{what}: {reason}',
  eraseButton: 'Erase my account',
  eraseCancel: 'Keep the account',
  askedTitle: 'Your account will be erased',
  askedText:
    'You are signed out, and apps no longer have access. On {date} your data is erased. To keep the account, open the link in the mail that we have sent you.',
  keepTitle: 'Keep your account?',
  keepText: 'The account of {email} is to be erased on {date}. Keep it, and it can be used again at once.',
  keepDisabledText:
    'The account of {email} is to be erased on {date}. An administrator has disabled it, and it stays disabled.',
  keepButton: 'Keep the account',
  keepNothing: 'If you want it erased, close this page.',
  keptDone: 'Your account is kept',
  keptDoneText: 'Sign in as before. Apps have to ask you again.',
  days: { one: '{count} day', other: '{count} days' } as PluralForms,
  tables: {
    'minaret.users': 'Your name, email address, picture and password',
    'public.ua_members': 'Your memberships',
    'public.member_addresses': 'Since when masjids have your email address',
    'public.member_links': 'Links with members of masjids that wait',
    'public.ua_households': 'Your household',
    'public.up_event_rsvps': 'Your answers to events',
    'public.ua_donations': 'Gifts',
    'public.ua_recurring_donations': 'Gifts that repeat',
    'public.ua_capabilities': 'What you look after at masjids',
    'public.consent_records': 'How masjids recorded your consent',
    'minaret.consents': 'The apps you allowed',
    'minaret.consent_texts': 'What you were shown when you allowed them',
    'minaret.grants': 'The access of apps',
    'minaret.sessions': 'Where you are signed in',
    'minaret.devices': 'The browsers you have used',
    'minaret.passkeys': 'Your passkeys',
    'minaret.linked_identities': 'Your accounts at other providers',
    'minaret.logout_notices': 'Sign-outs that apps have yet to be told of',
    'minaret.totp_factors': 'Your authenticator app',
    'minaret.recovery_codes': 'Your recovery codes',
    'minaret.mail_tokens': 'Links that we sent you',
    'minaret.email_changes': 'Changes of your email address',
    'minaret.outbox': 'Mail to you',
    'minaret.masjid_requests': 'Requests to register or look after a masjid',
    'minaret.masjid_invitations': 'Invitations to you',
    'minaret.app_members': 'Your place in the teams of apps',
    'minaret.app_invitations': 'Invitations to the teams of apps',
    'minaret.audit_log': 'The log of what was done',
    'minaret.read_log': 'The log of what apps read',
    'public.written_rows': 'The log of changes at masjids',
  },
  columns: {
    'minaret.audit_log': 'Network addresses in the log of what was done',
    'public.ua_donations': 'Your name and membership on gifts',
  },
  kept: {
    'minaret.users': 'The number of your account',
  },
  reasons: {
    'apps have yet to be told that the person is gone; deleted once they are, or after three days':
      'apps have yet to be told that you are gone; deleted once they are, or after a few days',
    'unless others live there': 'unless others live there',
    'the account stays as an empty shell, so that records with its identifier stay whole':
      'a random number, so that records which mention it stay whole; it leads to no name',
    'who did what has to stay provable; no name is left in it':
      'who did what has to stay provable; no name is left in it',
    'how apps used data has to stay provable; it is deleted after 90 days':
      'how apps used data has to stay provable; it is deleted after some months',
    'the accounts of the masjid have to stay right; nothing in them leads to the giver':
      'the accounts of the masjid have to stay right; nothing in them leads to you',
    'it tells the gift apart on the bank statement': 'the reference tells the gift apart on the bank statement',
  },
}
