// What a guest says about an event → a link by mail; the link → the answer. Neither response reveals whether the
// address has answered before.

import { networkOf } from '../base/ip-address.ts'
import { randomToken, sha256 } from '../base/secrets.ts'
import type { Database, Queryable } from '../db/database.ts'
import { type RaisedRule, raisedRule } from '../db/raised-rule.ts'
import { sql } from '../db/sql.ts'
import type { AccountServices } from './account-services.ts'
import { atLeast } from './at-least.ts'
import { checkEmail, checkName, type EmailFault, emailKey, type NameFault } from './email-rules.ts'
import type { Language } from './languages.ts'
import { writeMail } from './mail-texts.ts'
import { linkExpired } from './mail-tokens.ts'
import { enqueueMail } from './outbox.ts'

export const answers = ['going', 'maybe', 'declined'] as const
export type AnswerStatus = (typeof answers)[number]

export const MOST_GUESTS = 10

export interface GuestInput {
  readonly occurrence: string
  /** As the masjid calls them. */
  readonly event: string
  readonly masjid: string
  readonly name: string
  readonly email: string
  readonly status: AnswerStatus
  readonly size: number
  readonly language: Language
  readonly address: string
}

interface GuestFaults {
  readonly name: NameFault | undefined
  readonly email: EmailFault | undefined
  readonly size: 'size_wrong' | undefined
}

/** The rule of the database, in its words and by its name. */
interface Refused {
  readonly kind: 'refused'
  readonly refused: { readonly message: string; readonly extensions: Partial<RaisedRule> }
}

export type GuestOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'faulty'; readonly faults: GuestFaults }
  | Refused

const SAME_TIME_MS = 300

/** An event that was cancelled meanwhile, a masjid that takes no guests, no places left. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && ['23503', '23514', 'MN003'].includes((error as { code?: string }).code ?? '')

const orRefused = async <T>(work: Promise<T>): Promise<T | Refused> => {
  try {
    return await work
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { kind: 'refused', refused: { message: error.message, extensions: { ...raisedRule(error) } } }
  }
}

/** The same address in the database's stricter form, where each mailbox has one spelling. */
const isStorable = async (database: Queryable, email: string): Promise<boolean> =>
  (await database.first<{ fits: boolean }>(sql`select public.is_email(${email}) as fits`))?.fits === true

const faultsOf = async (database: Queryable, { name, email, size }: GuestInput): Promise<GuestFaults> => ({
  name: checkName(name),
  email: checkEmail(email) ?? ((await isStorable(database, emailKey(email))) ? undefined : 'email_wrong'),
  size: Number.isInteger(size) && size >= 1 && size <= MOST_GUESTS ? undefined : 'size_wrong',
})

const sendLink = ({ database, baseUrl }: AccountServices, input: GuestInput): Promise<void> =>
  database.transaction(async transaction => {
    const { occurrence, event, masjid, name, status, size, language } = input
    const [token, to] = [randomToken(32), emailKey(input.email)]
    const asked = await transaction.first<{ again: boolean }>(sql`
      select public.ask_guest(${occurrence}, ${name}, ${to}, ${status}, ${size}, ${sha256(token)}) as again`)
    const link = `${baseUrl}/rsvp/confirm?${new URLSearchParams({ token })}`
    const kind = asked?.again === true ? 'guestAnswerAgain' : 'guestAnswer'
    await enqueueMail(transaction, writeMail(language, kind, { to, name: undefined, link, event, masjid }))
  })

/** @throws {Fault} `too_many_requests` */
export const askGuest = async (services: AccountServices, input: GuestInput): Promise<GuestOutcome> => {
  const faults = await faultsOf(services.database, input)
  if (Object.values(faults).some(fault => fault !== undefined)) return { kind: 'faulty', faults }
  services.limits.guestAnswerPerNetwork.take(networkOf(input.address))
  services.limits.mailPerRecipient.take(emailKey(input.email))
  const sent = sendLink(services, input).then(() => ({ kind: 'sent' }) as const)
  return atLeast(SAME_TIME_MS, orRefused<GuestOutcome>(sent))
}

export interface GuestAnswer {
  readonly occurrence: string
  readonly name: string
  readonly status: AnswerStatus
  readonly size: number
}

/** Reads the link without using it, because mail scanners open links too. @throws {Fault} `link_expired` */
export const peekGuestAnswer = async (database: Database, token: string): Promise<GuestAnswer> => {
  const found = await database.first<GuestAnswer>(sql`
    select occurrence_id as occurrence, guest_name as name, status, party_size as size from public.guest_answers
    where token_hash = ${sha256(token)} and expires_at > now()`)
  if (found === undefined) throw linkExpired()
  return found
}

export interface Confirmed {
  readonly kind: 'confirmed'
  readonly occurrence: string
  readonly status: AnswerStatus | 'waitlisted'
  readonly size: number
}

/** Uses the link. @throws {Fault} `link_expired` */
export const confirmGuest = (database: Database, token: string): Promise<Confirmed | Refused> =>
  orRefused(
    database.transaction(async transaction => {
      const written = await transaction.first<{ id: string | null }>(
        sql`select public.confirm_guest(${sha256(token)}) as id`,
      )
      if (written?.id == null) throw linkExpired()
      // As it is once the places have been given out.
      const row = await transaction.first<Omit<Confirmed, 'kind'>>(sql`
        select occurrence_id as occurrence, status, party_size as size from public.up_event_rsvps where id = ${written.id}`)
      if (row === undefined) throw linkExpired()
      return { kind: 'confirmed', ...row } as const
    }),
  )
