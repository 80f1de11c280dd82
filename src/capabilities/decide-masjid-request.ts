// A reviewer's decision about a masjid: approved, so that the person looks after it with everything; or rejected with a reason.
import { isLanguage } from '../accounts/languages.ts'
import { fillPlaces, mailableName, oneLine } from '../accounts/mail-line.ts'
import { greetingFor } from '../accounts/mail-texts.ts'
import { enqueueMail } from '../accounts/outbox.ts'
import { findUserById, type User } from '../accounts/users.ts'
import { explainDatabaseFault, stateRefused } from '../apps/faults.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { actForAll } from './act-as.ts'
import { ensureMember } from './ensure-member.ts'
import { findRequest, type MasjidDetails } from './masjid-requests.ts'
import { slugsOf } from './masjid-slug.ts'
import { type RequestDecision, requestMails } from './request-mails.ts'

export interface Deciding {
  readonly id: string
  readonly actor: Actor & { readonly userId: string }
  readonly words: string
  readonly baseUrl: string
}

interface Decided {
  readonly kind: 'register' | 'claim'
  readonly user_id: string
  readonly masjid_id: string | null
  readonly details: MasjidDetails
}

/** One conditional update: of two reviewers, exactly one decides, and nobody about their own request. */
const decide = async (
  transaction: Queryable,
  { id, actor, words }: Deciding,
  state: RequestDecision,
): Promise<Decided> => {
  const decided = await transaction.first<Decided>(sql`
    update minaret.masjid_requests
    set state = ${state}, decided_at = now(), decided_by = ${actor.userId}, reviewer_words = nullif(${words}, '')
    where id = ${id} and state = 'pending' and user_id <> ${actor.userId}
    returning kind, user_id, masjid_id, details`)
  if (decided === undefined)
    throw stateRefused('The request is not waiting for this decision any more, or is your own.')
  return decided
}

/** The first name in addresses that nobody has yet. */
const freeSlug = async (transaction: Queryable, { name, city }: MasjidDetails): Promise<string> => {
  await transaction.run(sql`select pg_advisory_xact_lock(6206173)`)
  const candidates = slugsOf(name, city)
  const taken = await transaction.query<{ slug: string }>(sql`
    select slug from public.up_masjids where slug = any(${candidates})`)
  return candidates.find(slug => taken.every(row => row.slug !== slug)) ?? `${candidates[0]}-${Date.now()}`
}

const register = async (transaction: Queryable, id: string, details: MasjidDetails): Promise<string> => {
  const row = await transaction.first<{ id: string }>(sql`
    insert into public.up_masjids (slug, name, name_ar, address, city, state, postal_code, country, latitude, longitude, timezone)
    values (${await freeSlug(transaction, details)}, ${details.name}, ${details.name_ar}, ${details.address}, ${details.city},
      ${details.state}, ${details.postal_code}, ${details.country}, ${details.latitude}, ${details.longitude}, ${details.timezone})
    returning id`)
  const masjidId = row?.id ?? ''
  await transaction.run(sql`update minaret.masjid_requests set masjid_id = ${masjidId} where id = ${id}`)
  return masjidId
}

const handOver = async (transaction: Queryable, masjidId: string, user: User): Promise<void> => {
  await ensureMember(transaction, { masjidId, user, accepted: true })
  await transaction.query(sql`
    select public.ua_grant_capability(${masjidId}, ${user.id}, capability)
    from unnest(enum_range(null::public.ua_capability)) capability`)
  await transaction.run(sql`
    update public.up_masjids set verification = 'verified', verified_at = now() where id = ${masjidId}`)
}

/** The words of the reviewer, set apart from ours line by line. */
const quoted = (words: string): string =>
  words
    .split(/[\r\n\u2028\u2029]+/)
    .map(line => `> ${oneLine(line)}`)
    .join('\n')

const tell = async (
  transaction: Queryable,
  user: User,
  { decision, masjid, words, link }: { decision: RequestDecision; masjid: string; words: string; link: string },
): Promise<void> => {
  const texts = requestMails[isLanguage(user.language) ? user.language : 'en']
  const places = { masjid: mailableName(masjid) ?? texts.unnamed }
  const { subject, text } = texts[decision]
  const parts = [greetingFor(user.language, user.name), fillPlaces(text, places), link]
  if (words !== '') parts.push(`${texts.words}\n${quoted(words)}`)
  await enqueueMail(transaction, { to: user.email, subject: fillPlaces(subject, places), text: parts.join('\n\n') })
}

const nameOf = async (
  transaction: Queryable,
  masjidId: string | null,
): Promise<{ name: string; slug: string } | undefined> =>
  transaction.first<{ name: string; slug: string }>(
    sql`select name, slug from public.up_masjids where id = ${masjidId}`,
  )

const obstacles = {
  gone: 'The masjid is not listed any more.',
  dismissed: 'The membership of the person there was ended. Only the people of the masjid can take them back.',
} as const

/** @returns the masjid's name in addresses. @throws {Fault} `state_refused` */
export const approveMasjidRequest = (database: Database, input: Deciding): Promise<string> =>
  database.transaction(async transaction => {
    const decided = await decide(transaction, input, 'approved').catch(explainDatabaseFault)
    const user = await findUserById(transaction, decided.user_id)
    if (user === undefined || user.disabled) throw stateRefused('The account of the person is disabled.')
    const obstacle = (await findRequest(transaction, input.id))?.obstacle ?? undefined
    if (obstacle !== undefined) throw stateRefused(obstacles[obstacle])
    await actForAll(transaction)
    const masjidId = decided.masjid_id ?? (await register(transaction, input.id, decided.details))
    await handOver(transaction, masjidId, user)
    const masjid = await nameOf(transaction, masjidId)
    const detail = { masjid_id: masjidId, words: input.words }
    await recordAudit(transaction, {
      action: `masjid.${decided.kind}_approved`,
      actor: input.actor,
      userId: user.id,
      detail,
    })
    const link = `${input.baseUrl}/staff/${masjid?.slug}`
    await tell(transaction, user, { decision: 'approved', masjid: masjid?.name ?? '', words: input.words, link })
    return masjid?.slug ?? ''
  })

/** @throws {Fault} `state_refused` */
export const rejectMasjidRequest = (database: Database, input: Deciding): Promise<void> =>
  database.transaction(async transaction => {
    const decided = await decide(transaction, input, 'rejected').catch(explainDatabaseFault)
    const user = await findUserById(transaction, decided.user_id)
    const detail = { masjid_id: decided.masjid_id, reason: input.words }
    await recordAudit(transaction, {
      action: `masjid.${decided.kind}_rejected`,
      actor: input.actor,
      userId: decided.user_id,
      detail,
    })
    const masjid = (await nameOf(transaction, decided.masjid_id))?.name ?? decided.details.name
    if (user !== undefined)
      await tell(transaction, user, {
        decision: 'rejected',
        masjid,
        words: input.words,
        link: `${input.baseUrl}/staff`,
      })
  })
