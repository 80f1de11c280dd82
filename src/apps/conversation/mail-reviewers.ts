// An answer from the team of an app → a mail to the reviewers who are on it, in their language. It has none of the team's words.
import { isLanguage } from '../../accounts/languages.ts'
import { fillPlaces, mailableName } from '../../accounts/mail-line.ts'
import { greetingFor } from '../../accounts/mail-texts.ts'
import { enqueueMail } from '../../accounts/outbox.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { type ReviewerNews, reviewerMailTexts } from './mail-texts.ts'

export interface ReviewerMail {
  readonly appId: string
  readonly news: ReviewerNews
  /** Without it, no mail is sent. */
  readonly baseUrl?: string | undefined
}

interface ReviewerRow {
  readonly email: string
  readonly name: string
  readonly locale: string
  readonly app: string
}

/** More reviewers than these find it on their desk. */
const MOST_TOLD = 20

/** Whoever wrote in the conversation and may still decide; if there is nobody left, every reviewer. */
const reviewersOf = (transaction: Queryable, appId: string): Promise<ReviewerRow[]> =>
  transaction.query<ReviewerRow>(sql`
    with able as (
      select u.id, u.email, u.name, u.locale, a.name as app, u.created_at,
        exists (select from minaret.app_messages m
          where m.app_id = a.id and m.author_id = u.id and m.side = 'reviewer') as took_part
      from minaret.apps a join minaret.users u on u.is_reviewer or u.is_admin
      where a.id = ${appId} and u.disabled_at is null and u.email_verified_at is not null
        and not minaret.was_on_team(a.id, u.id))
    select email, name, locale, app from able
    where took_part or not exists (select from able where took_part)
    order by created_at limit ${MOST_TOLD}`)

export const mailReviewers = async (transaction: Queryable, { appId, news, baseUrl }: ReviewerMail): Promise<void> => {
  if (baseUrl === undefined) return
  for (const { email, name, locale, app } of await reviewersOf(transaction, appId)) {
    const language = isLanguage(locale) ? locale : 'en'
    const texts = reviewerMailTexts[language]
    const places = { app: mailableName(app) ?? texts.unnamed }
    const { subject, text } = texts[news]
    const parts = [greetingFor(language, name), fillPlaces(text, places), `${baseUrl}/review/apps/${appId}`]
    await enqueueMail(transaction, { to: email, subject: fillPlaces(subject, places), text: parts.join('\n\n') })
  }
}
