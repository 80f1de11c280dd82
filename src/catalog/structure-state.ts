// The state of the structure and an event → the next state, and what to do about it. Nothing here reads the database or a
// clock: `watch-structure.ts` carries it out.
import { createHash } from 'node:crypto'

/** A requested read: it checks rights if a statement failed for lack of one. */
export interface Look {
  readonly rightsToo: boolean
  /** The catalogue's mark, if a copy that another process kept with it will do. */
  readonly mark?: string
}

/** What a reading of the catalogue found. */
export interface Found {
  /** Identifies a structure; rights are not part of it. */
  readonly version: string
  /** The whole catalogue, including rights. */
  readonly catalogue: string
  /** The tables whose changes are logged, which is not part of the version either. */
  readonly logged: ReadonlySet<number>
}

const rights =
  /"(?:readable|executable|writtenByReader|insertable|updatable|deletable|emptiable|advanceable|callable)" : (?:true|false)|"granted" : \[.*\]\}$/gs

/** Rights are not structure: granting one must not look like a change. */
const versionOf = (catalogue: string): string =>
  createHash('sha256').update(catalogue.replace(rights, '')).digest('hex').slice(0, 16)

export const asFound = (catalogue: string, logged: ReadonlySet<number>): Found => ({
  version: versionOf(catalogue),
  catalogue,
  logged,
})

/** The result of granting the reader its rights. */
export interface Granted {
  /** Tables that are left out, because the right to read them could not be granted. */
  readonly withheld: string
  /** Whether rights had to be corrected. */
  readonly corrected: boolean
}

export interface StructureState {
  /** The version in force; undefined before the first. */
  readonly version: string | undefined
  /** The last catalogue that needed no changes. */
  readonly known: string | undefined
  readonly withheld: string
  readonly logged: ReadonlySet<number>
  /** A version that could not be built: it is not retried over and over. */
  readonly refused: string | undefined
  /** How many structures have been put in force. */
  readonly revision: number
  /** One read at a time: the one in progress, if any. */
  readonly reading: Look | undefined
  /** The next one, requested in the meantime: the one in progress may have looked too early. */
  readonly next: Look | undefined
  readonly closed: boolean
}

export type StructureEvent =
  | { readonly kind: 'asked'; readonly look: Look }
  | { readonly kind: 'built'; readonly found: Found; readonly granted: Granted }
  | { readonly kind: 'granted'; readonly found: Found; readonly granted: Granted }
  | { readonly kind: 'refused'; readonly version: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'closed' }

export const initialState: StructureState = {
  version: undefined,
  known: undefined,
  withheld: '',
  logged: new Set(),
  refused: undefined,
  revision: 0,
  reading: undefined,
  next: undefined,
  closed: false,
}

/** Concurrent requests become one, which checks whatever either wanted, and reads everything itself. */
const both = (one: Look | undefined, other: Look): Look => ({
  rightsToo: other.rightsToo || one?.rightsToo === true,
})

const afterGrants = (
  state: StructureState,
  { catalogue, logged }: Found,
  { withheld, corrected }: Granted,
): StructureState => ({
  ...state,
  withheld,
  logged,
  known: corrected ? undefined : catalogue,
})

export const transition = (state: StructureState, event: StructureEvent): StructureState => {
  switch (event.kind) {
    case 'asked':
      return state.reading === undefined
        ? { ...state, reading: event.look }
        : { ...state, next: both(state.next, event.look) }
    case 'granted':
      return afterGrants(state, event.found, event.granted)
    case 'built': {
      const { version } = event.found
      const inForce = { ...state, version, refused: undefined, revision: state.revision + 1 }
      return afterGrants(inForce, event.found, event.granted)
    }
    case 'refused':
      return { ...state, refused: event.version }
    case 'ended':
      return { ...state, reading: state.next, next: undefined }
    case 'closed':
      return { ...state, closed: true }
  }
}

const isSame = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.symmetricDifference(other).size === 0

/** Refused is what could not be built; then the one before stays in force. */
export const isInForce = (state: StructureState, { version, logged }: Found): boolean =>
  version === state.version && isSame(logged, state.logged)

/** Whether a model is needed: the version is new, other tables are logged, or rights must be checked and may have changed. */
export const isWorthReading = (state: StructureState, look: Look, found: Found): boolean => {
  if (state.closed || found.version === state.refused) return false
  return !isInForce(state, found) || (look.rightsToo && found.catalogue !== state.known)
}

/** Whether to build a new structure from it; otherwise the one in force is the same. */
export const isNew = (state: StructureState, found: Found, { withheld }: Granted): boolean =>
  !isInForce(state, found) || withheld !== state.withheld
