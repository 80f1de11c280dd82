// An app's values as typed, and their errors → the form.
import type { App, AppValues } from '../../apps/app.ts'
import type { RegistrationInput } from '../../apps/check-registration.ts'
import type { ImageStatus } from '../../images/images.ts'
import type { View } from '../frame/view.ts'
import { imageField, type NextStep } from '../picture/image-words.ts'
import { radioGroup, selectField } from '../pieces/choices.ts'
import { textArea, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { type FieldWords, fieldIds } from './field-faults.ts'
import { scopeFields } from './scope-fields.ts'

/** As typed. */
export interface AppFormValues extends RegistrationInput {
  readonly reason: string
}

export const emptyForm: AppFormValues = {
  name: '',
  description: '',
  homePage: '',
  logo: '',
  kind: '',
  redirectUris: [],
  postLogoutRedirectUris: [],
  scopes: [],
  idTokenAlgorithm: 'RS256',
  clientAuthentication: 'basic_or_post',
  deviceFlow: 'off',
  reason: '',
}

export const formOfApp = (app: AppValues & Pick<App, 'kind'>): AppFormValues => ({
  ...app,
  scopes: app.requestedScopes,
  reason: '',
})

export interface AppFieldsParts {
  readonly values: AppFormValues
  readonly faults: FieldWords
  /** What became of the logo that is already stored. */
  readonly logo: { readonly status: ImageStatus | undefined; readonly next: NextStep }
  /** The kind of an approved app cannot change. */
  readonly fixedKind: boolean
}

const lines = (uris: readonly string[] | undefined): string => (uris ?? []).join('\n')

const wordFields = ({ texts: { appForm, common } }: View, { values, faults }: AppFieldsParts): Html =>
  html`${textField({ name: fieldIds.name, label: appForm.name, hint: appForm.nameHint, value: values.name, fault: faults.name })}
${textArea({ name: fieldIds.description, label: appForm.description, hint: appForm.descriptionHint, value: values.description, fault: faults.description })}
${textField({ name: fieldIds.homePage, label: appForm.homePage, hint: appForm.homePageHint, value: values.homePage, fault: faults.homePage, optional: common.optional, type: 'url' })}`

const kindField = ({ texts }: View, { values, faults, fixedKind }: AppFieldsParts): Html => {
  const { appForm } = texts
  if (fixedKind) return html`<input type="hidden" name="${fieldIds.kind}" value="${values.kind}">`
  return radioGroup({
    name: fieldIds.kind,
    label: appForm.kind,
    hint: appForm.kindHint,
    fault: faults.kind,
    chosen: [values.kind],
    choices: (['public', 'confidential'] as const).map(kind => ({ value: kind, ...appForm.kinds[kind] })),
  })
}

const addressField = ({ texts: { appForm } }: View, { values, faults }: AppFieldsParts): Html =>
  textArea({
    name: fieldIds.redirectUris,
    label: appForm.redirectUris,
    hint: appForm.redirectUrisHint,
    value: lines(values.redirectUris),
    fault: faults.redirectUris,
    code: true,
    rows: 3,
  })

const logoField = (view: View, { values, faults, logo }: AppFieldsParts): Html => {
  const { appForm, common } = view.texts
  const stored = imageField(view, appForm.logoHint, logo)
  return textField({
    name: fieldIds.logo,
    label: appForm.logo,
    hint: stored.hint,
    value: values.logo,
    fault: faults.logo ?? stored.fault,
    optional: common.optional,
    type: 'url',
  })
}

const signOutField = ({ texts: { appForm, common } }: View, { values, faults }: AppFieldsParts): Html =>
  textArea({
    name: fieldIds.postLogoutRedirectUris,
    label: appForm.postLogoutRedirectUris,
    hint: appForm.postLogoutRedirectUrisHint,
    value: lines(values.postLogoutRedirectUris),
    fault: faults.postLogoutRedirectUris,
    code: true,
    rows: 2,
    optional: common.optional,
  })

const deviceField = ({ texts }: View, { values, faults }: AppFieldsParts): Html => {
  const { appForm } = texts
  return selectField({
    name: fieldIds.deviceFlow,
    label: appForm.deviceFlow,
    hint: appForm.deviceFlowHint,
    fault: faults.deviceFlow,
    chosen: [values.deviceFlow ?? 'off'],
    choices: (['off', 'on'] as const).map(value => ({ value, label: appForm.deviceFlows[value] })),
  })
}

const tokenFields = ({ texts }: View, { values, faults }: AppFieldsParts): Html => {
  const { appForm } = texts
  return html`${selectField({ name: fieldIds.idTokenAlgorithm, label: appForm.idTokenAlgorithm, hint: appForm.idTokenAlgorithmHint, fault: faults.idTokenAlgorithm, chosen: [values.idTokenAlgorithm ?? 'RS256'], choices: ['RS256', 'ES256'].map(value => ({ value, label: value })) })}
${selectField({ name: fieldIds.clientAuthentication, label: appForm.clientAuthentication, hint: appForm.clientAuthenticationHint, fault: faults.clientAuthentication, chosen: [values.clientAuthentication ?? 'basic_or_post'], choices: (['basic_or_post', 'basic'] as const).map(value => ({ value, label: appForm.clientAuthentications[value] })) })}`
}

const rareFields = [
  'logo',
  'postLogoutRedirectUris',
  'deviceFlow',
  'idTokenAlgorithm',
  'clientAuthentication',
] as const satisfies readonly (keyof RegistrationInput)[]

/** Whether one of them was set, or has an error. */
const needsLook = ({ values, faults, logo }: AppFieldsParts): boolean =>
  logo.status !== undefined ||
  rareFields.some(
    name => faults[name] !== undefined || String(values[name] ?? emptyForm[name]) !== String(emptyForm[name]),
  )

/** What a first app does without. */
const rarely = (view: View, parts: AppFieldsParts): Html =>
  html`<details class="more-settings"${needsLook(parts) && html` open`}><summary>${view.texts.appForm.more}</summary>
${logoField(view, parts)}${signOutField(view, parts)}${deviceField(view, parts)}${tokenFields(view, parts)}</details>`

export const appFields = (view: View, parts: AppFieldsParts): Html =>
  html`${wordFields(view, parts)}${kindField(view, parts)}${addressField(view, parts)}${scopeFields(view, { chosen: parts.values.scopes, fault: parts.faults.scopes })}${rarely(view, parts)}`
