// What is known of the structure, and something that happened → what is known now, and what is to be done about it. Nothing
// here reads a database or keeps time: `watch-structure.ts` does what is said.

/** A reading that was asked for: rights are looked at when a statement failed for lack of one. */
export interface Look {
  readonly rightsToo: boolean
}

/** What a reading of the catalogue found. */
export interface Found {
  /** Tells one structure from another; rights are not part of it. */
  readonly version: string
  /** The whole catalogue, rights included. */
  readonly catalogue: string
}

/** What came of giving the reader its rights. */
export interface Granted {
  /** The tables that are left out, as no right to them could be given. */
  readonly withheld: string
  /** Whether rights were other than they should be. */
  readonly mended: boolean
}

export interface StructureState {
  /** Of the structure in force; undefined before the first. */
  readonly version: string | undefined
  /** The catalogue that was last found to need nothing. */
  readonly known: string | undefined
  readonly withheld: string
  /** A version that nothing could be made of: it is not tried again and again. */
  readonly refused: string | undefined
  /** How many structures were put in force. */
  readonly revision: number
  /** One reading at a time: what it looks at, while one is under way. */
  readonly reading: Look | undefined
  /** The next one, which was asked for meanwhile: the one under way may have looked too early. */
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
  refused: undefined,
  revision: 0,
  reading: undefined,
  next: undefined,
  closed: false,
}

/** Two that are asked for at once become one, which looks at all that either wanted. */
const both = (one: Look | undefined, other: Look): Look => ({
  rightsToo: other.rightsToo || one?.rightsToo === true,
})

const afterGrants = (state: StructureState, { catalogue }: Found, { withheld, mended }: Granted): StructureState => ({
  ...state,
  withheld,
  known: mended ? undefined : catalogue,
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

/** Whether what was found calls for a model: it is new, or rights have to be looked at and may have changed. */
export const isWorthReading = (state: StructureState, look: Look, { version, catalogue }: Found): boolean => {
  if (state.closed || version === state.refused) return false
  return version !== state.version || (look.rightsToo && catalogue !== state.known)
}

/** Whether a structure is to be made of it, or the one in force is the same. */
export const isNew = (state: StructureState, { version }: Found, { withheld }: Granted): boolean =>
  version !== state.version || withheld !== state.withheld
