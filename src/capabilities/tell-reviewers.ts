// A new request about a masjid → a mail to everybody who can decide about it, in their own language.
import { isLanguage } from '../accounts/languages.ts'
import { fillPlaces, mailableName } from '../accounts/mail-line.ts'
import { greetingFor } from '../accounts/mail-texts.ts'
import { enqueueMail } from '../accounts/outbox.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { findRequest, type MasjidRequest } from './masjid-requests.ts'
import { reviewerMails } from './request-mails.ts'

/** More reviewers than these find the request on their desk. */
const MOST_TOLD = 50

interface Reviewer {
  readonly email: string
  readonly name: string
  readonly language: string
}

/** Nobody decides about their own request. */
const reviewersFor = (queryable: Queryable, { userId }: MasjidRequest): Promise<Reviewer[]> =>
  queryable.query<Reviewer>(sql`
    select email, name, locale as language from minaret.users
    where (is_reviewer or is_admin) and disabled_at is null and email_verified_at is not null and id <> ${userId}
    order by is_reviewer desc, created_at limit ${MOST_TOLD}`)

/** The desk lists all that wait: whoever was just told does not need another mail, however many requests are sent at once. */
const wereJustTold = async (queryable: Queryable, { id }: MasjidRequest): Promise<boolean> =>
  (await queryable.first(sql`
    select from minaret.masjid_requests
    where id <> ${id} and created_at > now() - interval '15 minutes' limit 1`)) !== undefined

export const tellReviewers = async (transaction: Queryable, id: string, baseUrl: string): Promise<void> => {
  const request = await findRequest(transaction, id)
  if (request === undefined || (await wereJustTold(transaction, request))) return
  for (const { email, name, language: wanted } of await reviewersFor(transaction, request)) {
    const language = isLanguage(wanted) ? wanted : 'en'
    const { subject, unnamed, ...texts } = reviewerMails[language]
    const places = { masjid: mailableName(request.masjid) ?? unnamed }
    const link = `${baseUrl}/review/masjids/${id}`
    const text = [greetingFor(language, name), fillPlaces(texts[request.kind], places), link].join('\n\n')
    await enqueueMail(transaction, { to: email, subject: fillPlaces(subject, places), text })
  }
}
