// The registration form as it was sent → its values as typed.
import type { FormValues } from '../frame/form-body.ts'
import type { AppFormValues } from './app-form.ts'
import { fieldIds } from './field-faults.ts'
import { readScopeFields } from './scope-fields.ts'

const lines = (text: string): string[] => text.split(/\r?\n/).filter(line => line.trim() !== '')

export const readForm = (form: FormValues): AppFormValues => ({
  name: form.text(fieldIds.name),
  description: form.text(fieldIds.description),
  homePage: form.text(fieldIds.homePage),
  logo: form.text(fieldIds.logo),
  kind: form.text(fieldIds.kind),
  redirectUris: lines(form.text(fieldIds.redirectUris)),
  postLogoutRedirectUris: lines(form.text(fieldIds.postLogoutRedirectUris)),
  scopes: readScopeFields(form),
  idTokenAlgorithm: form.text(fieldIds.idTokenAlgorithm),
  clientAuthentication: form.text(fieldIds.clientAuthentication),
  deviceFlow: form.text(fieldIds.deviceFlow),
  reason: form.text('reason'),
})
