// An app's values as typed, and their errors → the form.
import { scopeDescriptions } from '../../access/scopes.ts'
import type { App, AppValues } from '../../apps/app.ts'
import type { RegistrationInput } from '../../apps/check-registration.ts'
import type { ImageStatus } from '../../images/images.ts'
import type { View } from '../frame/view.ts'
import { imageField, type NextStep } from '../picture/image-words.ts'
import { checkboxGroup, radioGroup, selectField } from '../pieces/choices.ts'
import { textArea, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { badge } from '../pieces/notices.ts'
import type { Texts } from '../texts/texts.ts'
import { type FieldWords, fieldIds } from './field-faults.ts'

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

const scopeChoices = (texts: Texts) =>
  scopeDescriptions.map(({ name, personal, tables }) => ({
    value: name,
    label: name,
    hint: texts.scopes[name].title + (tables === undefined ? '' : `: ${tables}`),
    ...(personal ? { badge: badge(texts.appForm.personal, 'warn') } : {}),
  }))

const lines = (uris: readonly string[] | undefined): string => (uris ?? []).join('\n')

const wordFields = (view: View, { values, faults, logo }: AppFieldsParts): Html => {
  const { appForm, common } = view.texts
  const optional = common.optional
  const stored = imageField(view, appForm.logoHint, logo)
  return html`${textField({ name: fieldIds.name, label: appForm.name, hint: appForm.nameHint, value: values.name, fault: faults.name })}
${textArea({ name: fieldIds.description, label: appForm.description, hint: appForm.descriptionHint, value: values.description, fault: faults.description })}
${textField({ name: fieldIds.homePage, label: appForm.homePage, hint: appForm.homePageHint, value: values.homePage, fault: faults.homePage, optional, type: 'url' })}
${textField({ name: fieldIds.logo, label: appForm.logo, hint: stored.hint, value: values.logo, fault: faults.logo ?? stored.fault, optional, type: 'url' })}`
}

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

const addressFields = ({ texts }: View, { values, faults }: AppFieldsParts): Html => {
  const { appForm, common } = texts
  return html`${textArea({ name: fieldIds.redirectUris, label: appForm.redirectUris, hint: appForm.redirectUrisHint, value: lines(values.redirectUris), fault: faults.redirectUris, code: true, rows: 3 })}
${textArea({ name: fieldIds.postLogoutRedirectUris, label: appForm.postLogoutRedirectUris, hint: appForm.postLogoutRedirectUrisHint, value: lines(values.postLogoutRedirectUris), fault: faults.postLogoutRedirectUris, code: true, rows: 2, optional: common.optional })}`
}

const scopeFields = ({ texts }: View, { values, faults }: AppFieldsParts): Html => {
  const { appForm } = texts
  return html`${checkboxGroup({ name: fieldIds.scopes, label: appForm.scopes, hint: appForm.scopesHint, fault: faults.scopes, chosen: values.scopes, choices: scopeChoices(texts) })}
${selectField({ name: fieldIds.idTokenAlgorithm, label: appForm.idTokenAlgorithm, hint: appForm.idTokenAlgorithmHint, fault: faults.idTokenAlgorithm, chosen: [values.idTokenAlgorithm ?? 'RS256'], choices: ['RS256', 'ES256'].map(value => ({ value, label: value })) })}
${selectField({ name: fieldIds.clientAuthentication, label: appForm.clientAuthentication, hint: appForm.clientAuthenticationHint, fault: faults.clientAuthentication, chosen: [values.clientAuthentication ?? 'basic_or_post'], choices: (['basic_or_post', 'basic'] as const).map(value => ({ value, label: appForm.clientAuthentications[value] })) })}`
}

export const appFields = (view: View, parts: AppFieldsParts): Html =>
  html`${wordFields(view, parts)}${kindField(view, parts)}${addressFields(view, parts)}${scopeFields(view, parts)}`
