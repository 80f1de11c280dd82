// A change that was tried → a handle; the handle with the same change → leave to make it, once.
import { randomToken, sha256 } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { ToolRefusal } from '../tool-refusal.ts'

/** As short as a conversation about one change. */
export const HANDLE_SECONDS = 300

interface Change {
  readonly tool: string
  /** The checked arguments, without the handle. */
  readonly content: unknown
}

/** What a trial was based on, as JSON. */
export type Basis = Readonly<Record<string, unknown>>

export interface ChangeSteps {
  /** Undefined where nothing is ever changed, as in the sandbox. */
  keep(change: Change, basis: Basis): Promise<string | undefined>
  /** @throws {ToolRefusal} unless it is the handle of this change, unused and in time. */
  take(handle: string, change: Change): Promise<Basis>
}

export interface Changer {
  readonly userId: string
  readonly appId: string
}

/** The same whatever the order of the arguments. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  )

const hashOf = ({ tool, content }: Change): Buffer => sha256(`${tool}\n${canonical(content)}`)

interface HandleState {
  readonly used: boolean
  readonly expired: boolean
}

/** Somebody else's handle, and another app's, counts as unknown. */
const reasonFor = (state: HandleState | undefined): string => {
  if (state === undefined) return 'The handle is unknown. Call the tool without a handle to try the change first.'
  if (state.used) return 'The handle was used already, and works once. Try the change again to get a new one.'
  if (state.expired) return `The handle has expired: it works for ${HANDLE_SECONDS} seconds. Try the change again.`
  return 'The arguments are not the ones that were tried. Nothing was changed: call again with the same arguments, or try the new ones first.'
}

const findState = (database: Queryable, handle: string, { userId, appId }: Changer): Promise<HandleState | undefined> =>
  database.first<HandleState>(sql`
    select used_at is not null as used, expires_at <= now() as expired from minaret.change_handles
    where handle_hash = ${sha256(handle)} and user_id = ${userId} and app_id = ${appId}`)

/** Consumed in one statement: of fifty uses at once, one succeeds. */
const takeHandle = (database: Queryable, handle: string, change: Change, { userId, appId }: Changer) =>
  database.first<{ readonly basis: Basis }>(sql`
    update minaret.change_handles set used_at = now()
    where handle_hash = ${sha256(handle)} and user_id = ${userId} and app_id = ${appId} and tool = ${change.tool}
      and content_hash = ${hashOf(change)} and used_at is null and expires_at > now()
    returning basis`)

export const createChangeSteps = (database: Queryable, changer: Changer): ChangeSteps => ({
  keep: async (change, basis) => {
    const handle = `ch_${randomToken(32)}`
    await database.run(sql`
      insert into minaret.change_handles (handle_hash, user_id, app_id, tool, content_hash, basis, expires_at)
      values (${sha256(handle)}, ${changer.userId}, ${changer.appId}, ${change.tool}, ${hashOf(change)},
        ${JSON.stringify(basis)}, now() + make_interval(secs => ${HANDLE_SECONDS}))`)
    return handle
  },
  take: async (handle, change) => {
    const taken = await takeHandle(database, handle, change, changer)
    if (taken === undefined) throw new ToolRefusal(reasonFor(await findState(database, handle, changer)))
    return taken.basis
  },
})

const nobody = 'Nobody is signed in: changes are made for one person.'

/** For an app by itself. */
export const noPerson: ChangeSteps = {
  keep: async () => {
    throw new ToolRefusal(nobody)
  },
  take: async () => {
    throw new ToolRefusal(nobody)
  },
}

/** For the sandbox: everything can be tried, and nothing is kept. */
export const trialsOnly: ChangeSteps = {
  keep: async () => undefined,
  take: async () => {
    throw new ToolRefusal('The sandbox never changes: there are no handles here.')
  },
}
