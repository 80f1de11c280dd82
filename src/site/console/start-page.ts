// An app → code to paste and a button that runs a first query, and then its response.
import type { App } from '../../apps/app.ts'
import type { View } from '../frame/view.ts'
import { linkButton, submitButton } from '../pieces/buttons.ts'
import { codeBlock } from '../pieces/data.ts'
import { fill } from '../pieces/fill.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { appFrame, appPath } from './app-frame.ts'
import { KEY_PLACEHOLDER, keySample, type Sample, signInSample, tokenSample } from './code-samples.ts'
import { firstQueryFor } from './first-query.ts'

export interface QueryAnswer {
  readonly status: number
  readonly milliseconds: number
  readonly body: string
}

export interface StartParts {
  readonly app: App
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly answer?: QueryAnswer | undefined
  readonly fault?: string | undefined
}

/** Each block has its own label. */
const sampleBlocks = ({ texts }: View, title: string, sample: Sample): Html => {
  const { firstQuery } = texts
  return html`<h3>${firstQuery.curl}</h3>${codeBlock(sample.curl, `${title}: ${firstQuery.curl}`)}
<details><summary>${firstQuery.typescript}</summary>${codeBlock(sample.typescript, `${title}: ${firstQuery.typescript}`)}</details>
<details><summary>${firstQuery.python}</summary>${codeBlock(sample.python, `${title}: ${firstQuery.python}`)}</details>`
}

const answerPart = ({ texts }: View, { status, milliseconds, body }: QueryAnswer): Html => {
  const { firstQuery } = texts
  const good = status === 200
  return html`<section class="card"><h2>${firstQuery.answer}</h2>
${notice({ tone: good ? 'good' : 'bad', text: fill(good ? firstQuery.answered : firstQuery.refused, { status, milliseconds }) })}
${codeBlock(body, firstQuery.answer)}</section>`
}

const runPart = (view: View, { app, fault }: StartParts): Html => {
  const { firstQuery } = view.texts
  return html`<section class="card"><h2>${firstQuery.run}</h2>
${codeBlock(firstQueryFor(app.scopes.length > 0 ? app.scopes : app.requestedScopes), firstQuery.query)}
${form(view, {
  action: appPath(app.id, 'start'),
  fields: html`${textField({ name: 'key', label: firstQuery.keyField, hint: firstQuery.keyFieldHint, fault, type: 'password', attributes: { autocomplete: 'off', dir: 'ltr' } })}
<p class="hint">${firstQuery.running}</p>${submitButton({ text: firstQuery.run, look: 'primary' })}`,
})}</section>`
}

const tokenPart = (view: View, { app, baseUrl }: StartParts): Html => {
  if (app.kind !== 'confidential' || app.clientId === undefined) return nothing
  return html`<section class="card"><h2>${view.texts.firstQuery.withToken}</h2>${sampleBlocks(view, view.texts.firstQuery.withToken, tokenSample(app, baseUrl))}</section>`
}

const signInPart = ({ texts }: View, { app, baseUrl }: StartParts): Html => {
  if (app.redirectUris.length === 0 || app.clientId === undefined) return nothing
  const { firstQuery } = texts
  return html`<section class="card"><h2>${firstQuery.withSignIn}</h2>${codeBlock(signInSample(app, baseUrl), firstQuery.withSignIn)}</section>`
}

export const startPage = (view: View, parts: StartParts): Html => {
  const { firstQuery } = view.texts
  const { app, baseUrl, sandboxUrl, answer } = parts
  // There are no live keys before approval, so the examples use the sandbox.
  const keyUrl = app.state === 'approved' ? baseUrl : sandboxUrl
  return appFrame(view, {
    app,
    section: 'start',
    main: html`${answer !== undefined && answerPart(view, answer)}${runPart(view, parts)}
<section class="card"><h2>${firstQuery.withKey}</h2><p>${fill(firstQuery.lead, { placeholder: html`<code dir="ltr">${KEY_PLACEHOLDER}</code>` })}</p>
${sampleBlocks(view, firstQuery.withKey, keySample(app, keyUrl))}</section>
${tokenPart(view, parts)}${signInPart(view, parts)}
<p>${linkButton({ href: sandboxUrl, text: firstQuery.sandbox })}</p>`,
  })
}
