// An endpoint that is gone, or has failed for three days → disabled, and its owner is told by mail.
import { isLanguage } from '../accounts/languages.ts'
import { fillPlaces, mailableName } from '../accounts/mail-line.ts'
import { greetingFor } from '../accounts/mail-texts.ts'
import { enqueueMail } from '../accounts/outbox.ts'
import { recordAudit, systemActor } from '../audit/record-audit.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { WebhookEndpoint } from './endpoint.ts'
import { mailTexts } from './mail-texts.ts'

export interface DisableInput {
  readonly endpoint: WebhookEndpoint
  readonly because: 'gone' | 'failing'
  readonly baseUrl: string
}

interface OwnerRow {
  readonly email: string
  readonly name: string
  readonly locale: string
  readonly app: string
}

const mailOwner = async (transaction: Queryable, { endpoint, because, baseUrl }: DisableInput): Promise<void> => {
  const owner = await transaction.first<OwnerRow>(sql`
    select u.email, u.name, u.locale, a.name as app
    from minaret.apps a join minaret.users u on u.id = a.owner_id where a.id = ${endpoint.appId}`)
  if (owner === undefined) return
  const language = isLanguage(owner.locale) ? owner.locale : 'en'
  const texts = mailTexts[language]
  const places = { app: mailableName(owner.app) ?? texts.unnamed }
  const page = `${baseUrl}/console/apps/${endpoint.appId}/webhooks/${endpoint.id}`
  await enqueueMail(transaction, {
    to: owner.email,
    subject: fillPlaces(texts.subject, places),
    text: [greetingFor(language, owner.name), fillPlaces(texts[because], places), page].join('\n\n'),
  })
}

/** Where it stands in the change log is kept: once it is enabled again, it goes on there. */
export const disableEndpoint = async (transaction: Queryable, input: DisableInput): Promise<void> => {
  const { endpoint, because } = input
  const disabled = await transaction.run(sql`
    update minaret.webhook_endpoints set state = 'disabled', disabled_because = ${because}
    where id = ${endpoint.id} and state = 'enabled'`)
  if (disabled === 0) return
  const detail = { endpoint_id: endpoint.id, because }
  await recordAudit(transaction, { action: 'webhook.disabled', actor: systemActor, appId: endpoint.appId, detail })
  await mailOwner(transaction, input)
}
