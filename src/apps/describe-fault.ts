// A field error → a sentence in English, for the command line and for programs.
import { allScopes } from '../access/scopes.ts'
import type { Fault } from '../base/fault.ts'
import type { FieldFault } from './check-registration.ts'
import { registrationRefused } from './faults.ts'

const names: Readonly<Record<FieldFault['field'], string>> = {
  name: 'The name',
  description: 'The description',
  homePage: 'The home page',
  logo: 'The logo',
  kind: 'The kind of app',
  redirectUris: 'The redirect URI',
  postLogoutRedirectUris: 'The redirect URI after sign-out',
  scopes: 'The scope',
  idTokenAlgorithm: 'The algorithm of ID tokens',
  clientAuthentication: 'The client authentication',
  deviceFlow: 'The device flow',
}

const sentences: Readonly<Record<FieldFault['code'], string>> = {
  missing: 'is missing.',
  too_long: 'is too long.',
  unknown: 'is not known.',
  too_many: 'may be given at most 20 times.',
  repeated: 'is given twice.',
  unseen_characters: 'has line breaks or characters that are not seen. Leave them out.',
  not_web_address: 'is not a web address. Use one that begins with https://.',
  not_absolute: 'is not an absolute address, such as https://app.example.org/callback.',
  odd_characters: 'has characters that an address cannot have. Write them percent-encoded.',
  wildcard: 'has a wildcard. Give each address in full.',
  fragment: 'has a fragment (#…). Leave it out.',
  user_info: 'has a user name or password in it. Leave them out.',
  port: 'has a port that does not exist. Ports are 1 to 65535.',
  custom_scheme:
    'has a custom scheme. In production redirect URIs are https: use a claimed https link (an app link or universal link).',
  custom_scheme_confidential: 'has a custom scheme, which is for public apps: a server has an https address.',
  not_https: 'is not https. Plain http is only for localhost, and only in development.',
}

const describeFieldFault = ({ field, code, value }: FieldFault): string => {
  const known = field === 'scopes' && code === 'unknown' ? ` Known are: ${allScopes.join(', ')}.` : ''
  return `${names[field]}${value === undefined ? '' : ` "${value}"`} ${sentences[code]}${known}`
}

export const faultOfFields = (faults: readonly FieldFault[]): Fault =>
  registrationRefused(faults.map(describeFieldFault).join('\n'))
