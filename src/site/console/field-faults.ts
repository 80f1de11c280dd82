// Field errors → messages in the language of the page, by field; and the names of the form's fields.
import type { FieldFault, RegistrationField } from '../../apps/check-registration.ts'
import { fillText } from '../pieces/fill.ts'
import type { Texts } from '../texts/texts.ts'

export const fieldIds: Readonly<Record<RegistrationField, string>> = {
  name: 'name',
  description: 'description',
  homePage: 'home_page',
  logo: 'logo',
  kind: 'kind',
  redirectUris: 'redirect_uris',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  scopes: 'scopes',
  idTokenAlgorithm: 'id_token_alg',
  clientAuthentication: 'client_authentication',
  deviceFlow: 'device_flow',
}

export type FieldWords = Readonly<Partial<Record<RegistrationField, string>>>

const wordsOf = ({ appFaults }: Texts, { field, code, value }: FieldFault): string => {
  if (code === 'missing') {
    const { missing } = appFaults
    return field in missing ? missing[field as keyof typeof missing] : missing.other
  }
  return fillText(appFaults[code], { value: value ?? '' })
}

/** Several errors of one field become one message. */
export const wordsByField = (texts: Texts, faults: readonly FieldFault[]): FieldWords => {
  const words: Partial<Record<RegistrationField, string>> = {}
  for (const fault of faults) {
    const before = words[fault.field]
    words[fault.field] = before === undefined ? wordsOf(texts, fault) : `${before} ${wordsOf(texts, fault)}`
  }
  return words
}

/** For the error summary, which links to the fields. */
export const wordsById = (words: FieldWords): Record<string, string> =>
  Object.fromEntries(Object.entries(words).map(([field, text]) => [fieldIds[field as RegistrationField], text]))
