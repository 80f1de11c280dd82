// The form for a new endpoint, and to edit one.
import type { KeyEnvironment } from '../../../access/api-key-format.ts'
import type { App } from '../../../apps/app.ts'
import type { EndpointFault, EndpointField, RawEndpoint } from '../../../webhooks/check-endpoint.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { checkboxGroup } from '../../pieces/choices.ts'
import { form, textArea, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList } from '../../pieces/notices.ts'
import { appFrame } from '../app-frame.ts'
import { newId } from '../one-time-form.ts'
import { endpointPath, webhooksPath } from './webhook-path.ts'

export interface EndpointFormParts {
  readonly app: App
  readonly environment: KeyEnvironment
  /** Undefined for a new one. */
  readonly endpointId: string | undefined
  /** Names of the tables that the app may read. */
  readonly readable: readonly string[]
  readonly values: RawEndpoint
  readonly faults: Readonly<Partial<Record<EndpointField, EndpointFault>>>
}

const wordsFor = (view: View, fault: EndpointFault | undefined): string | undefined =>
  fault === undefined ? undefined : [view.texts.webhooks.faults[fault.code], fault.words].filter(Boolean).join(' ')

const titleOf = ({ texts: { webhooks } }: View, { endpointId, environment }: EndpointFormParts): string => {
  if (endpointId !== undefined) return webhooks.editTitle
  return environment === 'test' ? webhooks.newTestTitle : webhooks.newTitle
}

const fieldsOf = (view: View, { readable, values, faults }: EndpointFormParts): Html => {
  const { webhooks, common } = view.texts
  const fault = (name: EndpointField): string | undefined => wordsFor(view, faults[name])
  return html`${textField({ name: 'url', label: webhooks.url, hint: webhooks.urlHint, value: values.url, fault: fault('url'), type: 'url', attributes: { dir: 'ltr' } })}
${textField({ name: 'description', label: webhooks.description, hint: webhooks.descriptionHint, value: values.description, fault: fault('description'), optional: common.optional })}
${checkboxGroup({ name: 'tables', label: webhooks.tables, hint: webhooks.tablesHint, fault: fault('tables'), chosen: values.tables, choices: readable.map(value => ({ value, label: value })) })}
${textArea({ name: 'masjids', label: webhooks.masjids, hint: webhooks.masjidsHint, value: values.masjids, fault: fault('masjids'), optional: common.optional, rows: 2, code: true })}
${textArea({ name: 'query', label: webhooks.query, hint: webhooks.queryHint, value: values.query, fault: fault('query'), optional: common.optional, rows: 5, code: true })}`
}

export const endpointFormPage = (view: View, parts: EndpointFormParts): Html => {
  const { webhooks, common } = view.texts
  const { app, endpointId, environment } = parts
  const title = titleOf(view, parts)
  const back = endpointId === undefined ? webhooksPath(app.id) : endpointPath(app.id, endpointId)
  const faults = Object.entries(parts.faults).map(([name, fault]) => [name, wordsFor(view, fault)] as const)
  const button = submitButton({ text: endpointId === undefined ? webhooks.create : webhooks.save, look: 'primary' })
  return appFrame(view, {
    app,
    section: 'webhooks',
    title,
    main: html`<section class="card form-card"><h2>${title}</h2>${faultList(view, Object.fromEntries(faults))}
${form(view, {
  action: endpointId === undefined ? webhooksPath(app.id, '/new') : endpointPath(app.id, endpointId, '/edit'),
  hidden: { environment, ...(endpointId === undefined ? newId() : {}) },
  fields: html`${fieldsOf(view, parts)}${actions(button, linkButton({ href: back, text: common.cancel }))}`,
})}</section>`,
  })
}
