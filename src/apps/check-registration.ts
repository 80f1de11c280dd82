// A registration form as typed → checked values, or every error of every field.
import { isScope, type Scope, sortScopes } from '../access/scopes.ts'
import { isPlainLine, isPlainText } from '../base/plain-text.ts'
import { isWebAddress } from '../base/web-address.ts'
import { isFetchable } from '../outbound/check-saved-address.ts'
import type { AppKind, AppValues, ClientAuthentication, DeviceFlow, IdTokenAlgorithm } from './app.ts'
import { checkRedirectUri, type Mode, type RedirectUriFault } from './check-redirect-uri.ts'

/** As typed: every value is text. */
export interface RegistrationInput {
  readonly name: string
  readonly description: string
  readonly homePage?: string | undefined
  readonly logo?: string | undefined
  readonly kind: string
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris?: readonly string[] | undefined
  readonly scopes: readonly string[]
  readonly idTokenAlgorithm?: string | undefined
  readonly clientAuthentication?: string | undefined
  readonly deviceFlow?: string | undefined
}

export interface Registration extends AppValues {
  readonly kind: AppKind
}

export type RegistrationField = keyof RegistrationInput

export interface FieldFault {
  readonly field: RegistrationField
  readonly code:
    | RedirectUriFault
    | 'missing'
    | 'too_long'
    | 'unknown'
    | 'too_many'
    | 'repeated'
    | 'not_web_address'
    | 'unseen_characters'
  /** The offending part of the field, such as one of several URIs. */
  readonly value?: string
}

export type Checked =
  | { readonly kind: 'checked'; readonly registration: Registration }
  | { readonly kind: 'faulty'; readonly faults: readonly FieldFault[] }

const MOST_URIS = 20

interface RedirectUriRules {
  readonly mode: Mode
  readonly kind: string
}

const checkText = (field: RegistrationField, text: string, longest: number): FieldFault[] => {
  if (text.trim() === '') return [{ field, code: 'missing' }]
  const isPlain = field === 'name' ? isPlainLine : isPlainText
  if (!isPlain(text.trim())) return [{ field, code: 'unseen_characters' }]
  return text.trim().length > longest ? [{ field, code: 'too_long' }] : []
}

/** Shown as links and pictures on the pages of others, so nothing but the web. */
const checkWebAddress = (field: RegistrationField, text: string | undefined): FieldFault[] => {
  if (text === undefined || text.trim() === '') return []
  const isAllowed = field === 'logo' ? isFetchable : isWebAddress
  return isAllowed(text.trim()) ? [] : [{ field, code: 'not_web_address', value: text }]
}

const checkUris = (field: RegistrationField, uris: readonly string[], rules: RedirectUriRules): FieldFault[] => {
  const faults: FieldFault[] = []
  if (uris.length > MOST_URIS) faults.push({ field, code: 'too_many' })
  for (const [index, value] of uris.entries()) {
    const code = uris.indexOf(value) < index ? 'repeated' : checkRedirectUri(value, rules.mode, rules.kind)
    if (code !== undefined) faults.push({ field, code, value })
  }
  return faults
}

const checkScopes = (scopes: readonly string[]): FieldFault[] => {
  if (scopes.length === 0) return [{ field: 'scopes', code: 'missing' }]
  return scopes.filter(scope => !isScope(scope)).map(value => ({ field: 'scopes', code: 'unknown', value }))
}

const clean = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim()
  return trimmed === undefined || trimmed === '' ? undefined : trimmed
}

const cleanUris = (uris: readonly string[] | undefined): string[] =>
  (uris ?? []).map(uri => uri.trim()).filter(uri => uri !== '')

const findFaults = (input: RegistrationInput, uris: readonly string[], logoutUris: readonly string[], mode: Mode) => [
  ...checkText('name', input.name, 100),
  ...checkText('description', input.description, 2000),
  ...checkWebAddress('homePage', input.homePage),
  ...checkWebAddress('logo', input.logo),
  ...(input.kind === 'public' || input.kind === 'confidential' ? [] : [{ field: 'kind', code: 'missing' } as const]),
  // A server app that uses only client credentials never redirects anyone, nor does an app on devices.
  ...(uris.length === 0 && input.kind !== 'confidential' && clean(input.deviceFlow) !== 'on'
    ? [{ field: 'redirectUris', code: 'missing' } as const]
    : []),
  ...checkUris('redirectUris', uris, { mode, kind: input.kind }),
  ...checkUris('postLogoutRedirectUris', logoutUris, { mode, kind: input.kind }),
  ...checkScopes(input.scopes),
  ...(['RS256', 'ES256', undefined].includes(clean(input.idTokenAlgorithm))
    ? []
    : [{ field: 'idTokenAlgorithm', code: 'unknown' } as const]),
  ...(['basic_or_post', 'basic', undefined].includes(clean(input.clientAuthentication))
    ? []
    : [{ field: 'clientAuthentication', code: 'unknown' } as const]),
  ...(['off', 'on', undefined].includes(clean(input.deviceFlow))
    ? []
    : [{ field: 'deviceFlow', code: 'unknown' } as const]),
]

export const checkRegistration = (input: RegistrationInput, mode: Mode): Checked => {
  const redirectUris = cleanUris(input.redirectUris)
  const postLogoutRedirectUris = cleanUris(input.postLogoutRedirectUris)
  const faults = findFaults(input, redirectUris, postLogoutRedirectUris, mode)
  if (faults.length > 0) return { kind: 'faulty', faults }
  const registration = {
    name: input.name.trim(),
    description: input.description.trim(),
    homePage: clean(input.homePage),
    logo: clean(input.logo),
    kind: input.kind as AppKind,
    redirectUris,
    postLogoutRedirectUris,
    requestedScopes: sortScopes(input.scopes as readonly Scope[]),
    idTokenAlgorithm: (clean(input.idTokenAlgorithm) ?? 'RS256') as IdTokenAlgorithm,
    clientAuthentication: (clean(input.clientAuthentication) ?? 'basic_or_post') as ClientAuthentication,
    deviceFlow: (clean(input.deviceFlow) ?? 'off') as DeviceFlow,
  }
  return { kind: 'checked', registration }
}
