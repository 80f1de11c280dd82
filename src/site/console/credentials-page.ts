// An app's credentials → the active ones, and forms to create and revoke them. Never shows a secret.
import { dataScopes, isWriteScope } from '../../access/scopes.ts'
import type { App } from '../../apps/app.ts'
import type { ListedKey } from '../../apps/keys.ts'
import type { AppSecret } from '../../apps/secrets.ts'
import { mayDo } from '../../apps/team/roles.ts'
import type { View } from '../frame/view.ts'
import { linkButton, submitButton } from '../pieces/buttons.ts'
import { checkboxGroup, selectField } from '../pieces/choices.ts'
import { codeBlock, momentOf, table } from '../pieces/data.ts'
import { fillText } from '../pieces/fill.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, type HtmlPart, html, nothing } from '../pieces/html.ts'
import { badge, faultList, notice } from '../pieces/notices.ts'
import { scopeBadges } from '../pieces/scope-badges.ts'
import { appFrame, appPath } from './app-frame.ts'
import { type LimitTyped, limitFault, limitField } from './key-limit/field.ts'
import { newId } from './one-time-form.ts'
import { type SigningParts, signingPart } from './signing/part.ts'

export interface KeyTyped {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiry: string
  readonly limit: LimitTyped
  readonly scopeFault?: string | undefined
}

export interface CredentialsParts {
  readonly app: App
  readonly secrets: readonly AppSecret[]
  readonly keys: readonly ListedKey[]
  readonly now: Date
  readonly done?: string | undefined
  /** The form for a key as it was sent, if it was refused. */
  readonly keyTyped?: KeyTyped | undefined
  readonly signing: Omit<SigningParts, 'app'>
}

const keyExpiries = ['never', '30d', '90d', '1y'] as const

const moment = (view: View, at: Date | null): HtmlPart =>
  at === null ? view.texts.credentials.never : momentOf(view, at)

const revokeLink = (view: View, href: string, name: string): Html =>
  linkButton({
    href,
    text: view.texts.credentials.revoke,
    size: 'small',
    look: 'danger',
    label: fillText(view.texts.credentials.revokeNamed, { name }),
  })

const limitLink = ({ texts: { keyLimit } }: View, href: string, name: string): Html =>
  linkButton({ href, text: keyLimit.change, size: 'small', label: fillText(keyLimit.changeNamed, { name }) })

const clientIdPart = ({ texts }: View, app: App): Html => {
  const { credentials } = texts
  if (app.clientId === undefined)
    return notice({ tone: 'info', title: credentials.notYet, text: credentials.notYetText })
  return html`<section class="card"><h2>${credentials.clientId}</h2><p class="soft">${credentials.clientIdHint}</p>
${codeBlock(app.clientId, credentials.clientId)}</section>`
}

/** @param path of the page of one secret, to revoke it */
export const secretTable = (
  view: View,
  { app, secrets }: Pick<CredentialsParts, 'app' | 'secrets'>,
  path: (id: string) => string,
): Html => {
  const { credentials } = view.texts
  if (secrets.length === 0) return html`<p>${credentials.noSecrets}</p>`
  return table({
    caption: credentials.secrets,
    head: [credentials.key, credentials.created, credentials.lastUsed, credentials.action],
    rows: secrets.map(({ id, hint, createdAt, lastUsedAt }) => [
      html`<code dir="ltr">${hint}</code>`,
      momentOf(view, createdAt),
      moment(view, lastUsedAt),
      mayDo(app.role, 'develop') ? revokeLink(view, path(id), hint) : nothing,
    ]),
  })
}

const secretsPart = (view: View, parts: CredentialsParts): Html => {
  const { credentials } = view.texts
  const { app, secrets } = parts
  if (app.state !== 'approved') return nothing
  if (app.kind === 'public')
    return html`<section class="card"><h2>${credentials.secrets}</h2><p>${credentials.publicNoSecret}</p></section>`
  const text = secrets.length === 0 ? credentials.createSecret : credentials.rotateSecret
  const make =
    secrets.length >= 2
      ? html`<p class="soft">${credentials.twoSecrets}</p>`
      : form(view, { action: appPath(app.id, 'secrets'), hidden: newId(), fields: submitButton({ text }) })
  return html`<section class="card"><h2>${credentials.secrets}</h2><p class="soft">${credentials.secretsText}</p>
${secretTable(view, parts, id => appPath(app.id, `secrets/${id}/revoke`))}${mayDo(app.role, 'develop') && make}</section>`
}

const keyState = (view: View, key: ListedKey, { app, now }: CredentialsParts): HtmlPart => {
  const { credentials } = view.texts
  if (key.revokedAt !== null) return badge(credentials.revoked, 'bad')
  if (key.expiresAt !== null && key.expiresAt <= now) return badge(credentials.expired, 'warn')
  if (!mayDo(app.role, 'develop')) return nothing
  const path = appPath(app.id, `keys/${key.id}`)
  return html`${limitLink(view, `${path}/limit`, key.name)} ${revokeLink(view, `${path}/revoke`, key.name)}`
}

const keyTable = (view: View, parts: CredentialsParts): Html => {
  const { credentials, keyLimit } = view.texts
  if (parts.keys.length === 0) return html`<p>${credentials.noKeys}</p>`
  return table({
    caption: credentials.keys,
    head: [
      credentials.key,
      credentials.scopes,
      keyLimit.column,
      credentials.lastUsed,
      credentials.expires,
      credentials.action,
    ],
    rows: parts.keys.map(key => [
      html`<bdi>${key.name}</bdi> ${badge(credentials[key.environment], key.environment === 'live' ? 'good' : 'info')}<br><code dir="ltr">${key.hint}</code>`,
      html`<span dir="ltr">${key.scopes.join(' ')}</span> ${key.scopes.some(isWriteScope) && badge(view.texts.appForm.writes, 'bad')}`,
      key.requestsPerMinute === null
        ? html`<span class="soft">${keyLimit.none}</span>`
        : fillText(keyLimit.shown, { count: String(key.requestsPerMinute) }),
      moment(view, key.lastUsedAt),
      moment(view, key.expiresAt),
      keyState(view, key, parts),
    ]),
  })
}

const newKeyForm = (view: View, { app, keyTyped }: CredentialsParts): Html => {
  const { credentials, scopes } = view.texts
  const offered = dataScopes.filter(scope => app.scopes.includes(scope))
  return form(view, {
    action: appPath(app.id, 'keys'),
    hidden: newId(),
    fields: html`<h3 class="spaced">${credentials.createKey}</h3>
${textField({ name: 'key_name', label: credentials.keyName, hint: credentials.keyNameHint, value: keyTyped?.name, optional: view.texts.common.optional })}
${checkboxGroup({ name: 'key_scopes', label: credentials.keyScopes, hint: credentials.keyScopesHint, chosen: keyTyped?.scopes ?? offered.filter(scope => !isWriteScope(scope)), fault: keyTyped?.scopeFault, choices: offered.map(scope => ({ value: scope, label: scope, hint: scopes[scope].title, badge: scopeBadges(view.texts, scope) })) })}
${selectField({ name: 'expiry', label: credentials.keyExpiry, chosen: [keyTyped?.expiry ?? 'never'], choices: keyExpiries.map(value => ({ value, label: credentials.expiries[value] })) })}
${limitField(view, keyTyped?.limit ?? { value: '', isFaulty: false })}
${submitButton({ text: credentials.createKey, look: 'primary' })}`,
  })
}

const testKeyForm = (view: View, app: App): Html => {
  const { credentials } = view.texts
  return html`<section class="card"><h2>${credentials.testKey}</h2><p class="soft">${credentials.testKeyText}</p>
${form(view, { action: appPath(app.id, 'test-key'), hidden: newId(), fields: submitButton({ text: credentials.createTestKey }) })}</section>`
}

const keyFaults = (view: View, { keyTyped }: CredentialsParts) => ({
  key_scopes: keyTyped?.scopeFault,
  key_limit: keyTyped === undefined ? undefined : limitFault(view, keyTyped.limit),
})

export const credentialsPage = (view: View, parts: CredentialsParts): Html => {
  const { app } = parts
  const { credentials } = view.texts
  const develops = mayDo(app.role, 'develop')
  const mayMakeLive = develops && app.state === 'approved' && app.scopes.some(scope => scope.includes(':'))
  return appFrame(view, {
    app,
    section: 'credentials',
    done: parts.done,
    faulty: parts.keyTyped !== undefined,
    main: html`${faultList(view, keyFaults(view, parts))}${clientIdPart(view, app)}${secretsPart(view, parts)}${signingPart(view, { app, ...parts.signing })}
<section class="card"><h2>${credentials.keys}</h2><p class="soft">${credentials.keysText}</p>${keyTable(view, parts)}
${mayMakeLive && newKeyForm(view, parts)}</section>
${develops && app.state !== 'suspended' && testKeyForm(view, app)}`,
  })
}
