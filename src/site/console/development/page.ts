// An app → its development client: what it is for, its secrets, lines to paste, and what changes at the approval.
import type { App } from '../../../apps/app.ts'
import type { AppSecret } from '../../../apps/secrets.ts'
import { mayDo } from '../../../apps/team/roles.ts'
import type { View } from '../../frame/view.ts'
import { submitButton } from '../../pieces/buttons.ts'
import { codeBlock, table } from '../../pieces/data.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { appFrame, appPath } from '../app-frame.ts'
import { secretTable } from '../credentials-page.ts'
import { newId } from '../one-time-form.ts'
import { type Addresses, queryLine, signInProgram, tokenLine } from './samples.ts'

export interface DevelopmentParts extends Addresses {
  readonly app: App
  readonly secrets: readonly AppSecret[]
  readonly done?: string | undefined
}

export const developmentPath = (appId: string, rest = ''): string => appPath(appId, `development${rest}`)

const code = (text: string): Html => html`<code class="select-all" dir="ltr">${text}</code>`

const clientPart = (view: View, { app }: DevelopmentParts): Html => {
  const { development } = view.texts
  return html`<section class="card"><h2>${development.clientId}</h2><p>${development.lead}</p>
${codeBlock(app.developmentClientId, development.clientId)}</section>`
}

const secretsPart = (view: View, parts: DevelopmentParts): Html => {
  const { app, secrets } = parts
  const { credentials, development } = view.texts
  if (app.kind === 'public')
    return html`<section class="card"><h2>${development.secrets}</h2><p>${development.publicNoSecret}</p></section>`
  const text = secrets.length === 0 ? credentials.createSecret : credentials.rotateSecret
  const make =
    secrets.length >= 2
      ? html`<p class="soft">${credentials.twoSecrets}</p>`
      : form(view, { action: developmentPath(app.id, '/secrets'), hidden: newId(), fields: submitButton({ text }) })
  return html`<section class="card"><h2>${development.secrets}</h2><p class="soft">${development.secretsText}</p>
${secretTable(view, parts, id => developmentPath(app.id, `/secrets/${id}/revoke`))}${mayDo(app.role, 'develop') && make}</section>`
}

const signsIn = ({ redirectUris, kind }: App): boolean => redirectUris.length > 0 || kind === 'public'

/** A server that signs nobody in begins with a token for itself. */
const samplesPart = (view: View, parts: DevelopmentParts): Html => {
  const { development } = view.texts
  const { app } = parts
  const program = html`<section class="card"><h2>${development.signIn}</h2><p>${development.signInText}</p>
${codeBlock(signInProgram(app, parts), development.signIn)}</section>`
  const token = html`<section class="card"><h2>${development.token}</h2><p>${development.tokenText}</p>
${codeBlock(tokenLine(app, parts), development.token)}</section>`
  return html`${signsIn(app) && program}${app.kind === 'confidential' && token}
<section class="card"><h2>${development.query}</h2><p>${development.queryText}</p>
${codeBlock(queryLine(app, parts), development.query)}</section>`
}

const approvalPart = (view: View, { app, baseUrl, sandboxUrl }: DevelopmentParts): Html => {
  const { development } = view.texts
  return html`<section class="card"><h2>${development.approval}</h2><p>${development.approvalText}</p>
${table({
  caption: development.approval,
  head: [development.what, development.now, development.approved],
  rows: [
    [
      'client_id',
      code(app.developmentClientId),
      app.clientId === undefined ? development.atApproval : code(app.clientId),
    ],
    [development.address, code(`${sandboxUrl}/v1/graphql`), code(`${baseUrl}/v1/graphql`)],
    [development.redirect, development.anyLoopback, development.registered],
    [development.people, development.team, development.everybody],
  ],
})}</section>`
}

export const developmentPage = (view: View, parts: DevelopmentParts): Html => {
  const { app, done } = parts
  const suspended = notice({ tone: 'warn', text: view.texts.development.suspended })
  return appFrame(view, {
    app,
    section: 'development',
    done,
    main:
      app.state === 'suspended'
        ? suspended
        : html`${clientPart(view, parts)}${secretsPart(view, parts)}${samplesPart(view, parts)}${approvalPart(view, parts)}`,
  })
}
