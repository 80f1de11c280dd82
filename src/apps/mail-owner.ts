// A decision about an app → a mail to each of its owners, in their language, queued in the same transaction.
import { isLanguage } from '../accounts/languages.ts'
import { fillPlaces, mailableName, oneLine } from '../accounts/mail-line.ts'
import { greetingFor } from '../accounts/mail-texts.ts'
import { enqueueMail } from '../accounts/outbox.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type DecisionKind, decisionTexts } from './decision-texts.ts'

export interface OwnerMail {
  readonly appId: string
  readonly decision: DecisionKind
  readonly words?: string | undefined
  /** The console's address; without it, no mail is sent. */
  readonly baseUrl?: string | undefined
}

interface OwnerRow {
  readonly email: string
  readonly name: string
  readonly locale: string
  readonly app: string
  readonly client_id: string | null
}

/** The words of a person, set apart from ours line by line. */
const quoted = (words: string): string =>
  words
    .split(/[\r\n\u2028\u2029]+/)
    .map(line => `> ${oneLine(line)}`)
    .join('\n')

/** Where it is answered, if not on the page of the app. */
const pages: Partial<Record<DecisionKind, string>> = { changesRequested: '/messages', message: '/messages' }

const mailOne = async (
  transaction: Queryable,
  { appId, decision, words, baseUrl }: OwnerMail,
  owner: OwnerRow,
): Promise<void> => {
  const language = isLanguage(owner.locale) ? owner.locale : 'en'
  const texts = decisionTexts[language]
  const { subject, text } = texts.decisions[decision]
  const places = { app: mailableName(owner.app) ?? texts.unnamed, clientId: owner.client_id ?? '' }
  const parts = [
    greetingFor(language, owner.name),
    fillPlaces(text, places),
    `${baseUrl}/console/apps/${appId}${pages[decision] ?? ''}`,
  ]
  if (words !== undefined && words !== '') parts.push(`${texts.words}\n${quoted(words)}`)
  await enqueueMail(transaction, { to: owner.email, subject: fillPlaces(subject, places), text: parts.join('\n\n') })
}

export const mailOwner = async (transaction: Queryable, mail: OwnerMail): Promise<void> => {
  if (mail.baseUrl === undefined) return
  // Whoever an app is handed over to is told so, and nobody else.
  const owners = await transaction.query<OwnerRow>(sql`
    select u.email, u.name, u.locale, a.name as app, a.client_id
    from minaret.apps a join minaret.app_members m on m.app_id = a.id and m.role = 'owner'
      join minaret.users u on u.id = m.user_id
    where a.id = ${mail.appId} and (u.id = a.owner_id or ${mail.decision !== 'handedOver'})
    order by m.added_at limit 50`)
  for (const owner of owners) await mailOne(transaction, mail, owner)
}
