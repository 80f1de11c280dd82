// A decision about an app → a mail to its owner, in the owner's language and in the transaction of the decision.
import { isLanguage } from '../accounts/languages.ts'
import { enqueueMail } from '../accounts/outbox.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type DecisionKind, decisionTexts } from './decision-texts.ts'

export interface OwnerMail {
  readonly appId: string
  readonly decision: DecisionKind
  readonly words?: string | undefined
  /** Where the console is; without it nothing is mailed. */
  readonly baseUrl?: string | undefined
}

interface OwnerRow {
  readonly email: string
  readonly name: string
  readonly locale: string
  readonly app: string
  readonly client_id: string | null
}

/** A name is a line of its own at most: it cannot add lines or links that look like ours. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/https?:\/\//gi, '')

const fillIn = (text: string, places: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, place: string) => places[place] ?? '')

export const mailOwner = async (
  transaction: Queryable,
  { appId, decision, words, baseUrl }: OwnerMail,
): Promise<void> => {
  if (baseUrl === undefined) return
  const owner = await transaction.first<OwnerRow>(sql`
    select u.email, u.name, u.locale, a.name as app, a.client_id
    from minaret.apps a join minaret.users u on u.id = a.owner_id where a.id = ${appId}`)
  if (owner === undefined) return
  const texts = decisionTexts[isLanguage(owner.locale) ? owner.locale : 'en']
  const { subject, text } = texts.decisions[decision]
  const places = { name: oneLine(owner.name), app: oneLine(owner.app), clientId: owner.client_id ?? '' }
  const parts = [fillIn(texts.greeting, places), fillIn(text, places), `${baseUrl}/console/apps/${appId}`]
  if (words !== undefined && words !== '') parts.push(`${texts.words}\n${words}`)
  await enqueueMail(transaction, { to: owner.email, subject: fillIn(subject, places), text: parts.join('\n\n') })
}
