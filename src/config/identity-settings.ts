// Secrets, mail, and how people and apps prove who they are.
import { mailSender, mailServer } from './address-readers.ts'
import { providerList } from './provider-list.ts'
import { capabilityList, dataScopes, onOff, secret } from './readers.ts'
import { setting } from './setting.ts'

export const identitySettings = {
  secret: setting({
    name: 'MINARET_SECRET',
    secret: true,
    fallback: undefined,
    shown: 'generated once and kept in DATA_DIR',
    read: secret,
    meaning:
      'At least 32 characters. Encrypts the signing keys and signs cookies. Required in production; the same in every process.',
  }),
  previousSecret: setting({
    name: 'MINARET_SECRET_PREVIOUS',
    secret: true,
    fallback: undefined,
    shown: 'none',
    read: secret,
    meaning:
      'Only while `MINARET_SECRET` is being replaced: another secret that is accepted too. [operations.md](operations.md#replacing-the-secret) has the steps.',
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    secret: true,
    fallback: undefined,
    shown: 'none: mail goes to the outbox page',
    read: mailServer,
    meaning: 'The server that sends mail.',
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    fallback: 'Minaret <minaret@localhost>',
    shown: 'Minaret <minaret@localhost>',
    read: mailSender,
    meaning: 'The sender of mail.',
  }),
  providers: setting({
    name: 'PROVIDERS',
    secret: true,
    fallback: [],
    shown: 'none',
    read: providerList,
    meaning:
      'Other OpenID providers that people can sign in with, as a JSON list; best in a file that `PROVIDERS_FILE` names. See [sign-in with other providers](providers.md).',
  }),
  strongScopes: setting({
    name: 'SECOND_FACTOR_SCOPES',
    fallback: [],
    shown: 'none',
    read: dataScopes,
    meaning:
      'Scopes for which people must have signed in with a second factor, separated by spaces. A person’s token with one of them that came of a password alone gets 401 `insufficient_user_authentication` at the GraphQL endpoint (RFC 9470), and the app asks again with `acr_values`.',
  }),
  guardedCapabilities: setting({
    name: 'SECOND_FACTOR_CAPABILITIES',
    fallback: [],
    shown: 'none',
    read: capabilityList,
    meaning:
      'What people may do at a masjid only once their account has a second factor, separated by spaces: `times`, `events`, `announcements`, `people`, `giving`, `screens`, `capabilities`. PostgreSQL enforces it, for pages and for tokens, for writing and for reading what a capability opens.',
  }),
  selfDescribedApps: setting({
    name: 'SELF_DESCRIBED_APPS',
    fallback: true,
    shown: 'on',
    read: onOff,
    meaning:
      'Whether an app may describe itself: its `client_id` is the https address of a document about it, which the service fetches (OAuth Client ID Metadata Documents). Until a reviewer approves its host, such an app reaches public data and the person’s own.',
  }),
}
