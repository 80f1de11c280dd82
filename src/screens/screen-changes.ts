// Open screens → each is told when something that it shows may have changed, and when it was disconnected.
import type { Revocations } from '../access/revocations.ts'
import type { ChangeListener, ChangeWatch } from '../db/changes/watch-changes.ts'
import type { Listener } from '../db/listener.ts'

export interface OpenScreen {
  readonly tokenId: string
  readonly grantId: string
  readonly masjidId: string
  /** It should ask for its state again, at any moment within this time. */
  onChange(withinMs: number): void
  /** Its token or its grant has ended. */
  onEnd(): void
}

export interface ScreenChanges {
  /** Once it resolves, no change is missed. Returns what ends it. */
  follow(screen: OpenScreen): Promise<() => void>
  /** Each screen that is followed. */
  all(): Iterable<OpenScreen>
}

export interface ScreenChangesInput {
  readonly changes: ChangeWatch
  readonly listener: Listener
  readonly revocations: Pick<Revocations, 'onRevocation' | 'onReset'>
}

/** What concerns every screen must not make all of them ask at once. */
const EVERYONE_WITHIN_MS = 20_000

/** Tables with what a screen can show, and the offsets of its clock; those about people are not among them. */
const isShown = (table: string): boolean => /^public\.((up|pc)_|zone_offsets$)/.test(table)

export const createScreenChanges = async (input: ScreenChangesInput): Promise<ScreenChanges> => {
  const { changes, listener, revocations } = input
  const open = new Set<OpenScreen>()
  const ofMasjid = new Map<string, Set<OpenScreen>>()

  const tellEveryone = (): void => {
    for (const screen of open) screen.onChange(EVERYONE_WITHIN_MS)
  }

  const concerned = (changed: Parameters<ChangeListener['onChanges']>[0]): ReadonlySet<string | null> =>
    new Set(changed.filter(([table]) => isShown(table)).flatMap(([, masjids]) => masjids))

  const log: ChangeListener = {
    onChanges: changed => {
      const masjids = concerned(changed)
      if (masjids.has(null)) tellEveryone()
      for (const masjid of masjids) for (const screen of ofMasjid.get(masjid ?? '') ?? []) screen.onChange(0)
    },
    onStructure: tellEveryone,
    onGap: tellEveryone,
  }

  const withGrant = (grantId: string): OpenScreen[] => [...open].filter(screen => screen.grantId === grantId)

  await listener.on('minaret_screens', grantId => {
    for (const screen of withGrant(grantId)) screen.onChange(0)
  })
  revocations.onRevocation(({ kind, subject }) => {
    if (kind === 'grant') for (const screen of withGrant(subject)) screen.onEnd()
    if (kind === 'token') for (const screen of open) if (screen.tokenId === subject) screen.onEnd()
    // If it is the app of screens, none of them is answered any more.
    if (kind === 'app') tellEveryone()
  })
  revocations.onReset(tellEveryone)

  const leave = (screen: OpenScreen): void => {
    open.delete(screen)
    const others = ofMasjid.get(screen.masjidId)
    others?.delete(screen)
    if (others?.size === 0) ofMasjid.delete(screen.masjidId)
    if (open.size === 0) changes.stop()
  }

  return {
    follow: async screen => {
      open.add(screen)
      ofMasjid.set(screen.masjidId, (ofMasjid.get(screen.masjidId) ?? new Set()).add(screen))
      try {
        await changes.start(log)
      } catch (error) {
        leave(screen)
        throw error
      }
      return () => leave(screen)
    },
    all: () => open,
  }
}
