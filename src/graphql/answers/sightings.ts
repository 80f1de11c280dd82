// Requests → whether the same one came before. Most requests never come again, so the first sight must cost next to nothing: no digest,
// no allocation, and a fixed amount of memory.

export interface Sightings {
  /** Whether it came before; from now on it has. */
  note(asked: Uint8Array | string): boolean
  has(asked: Uint8Array | string): boolean
}

/** Places that a request may be remembered in: a few, as otherwise two frequent requests might keep displacing each other. */
const WAYS = 4
const GROUPS = 1 << 14

/** FNV-1a. */
const PRIME = 0x01000193
const BASIS = 0x811c9dc5

const hashBytes = (bytes: Uint8Array): number => {
  let hash = BASIS
  for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), PRIME)
  return hash
}

const hashText = (text: string): number => {
  let hash = BASIS
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  return hash
}

/** Zero stands for an empty place. */
const hashOf = (asked: Uint8Array | string): number => {
  const hash = typeof asked === 'string' ? hashText(asked) : hashBytes(asked)
  return (hash ^ (hash >>> 15)) >>> 0 || 1
}

/** Two requests with the same hash only make an answer be kept one time too early. */
export const createSightings = (): Sightings => {
  const places = new Uint32Array(GROUPS * WAYS)
  let turn = 0

  const isIn = (group: number, hash: number): boolean => {
    for (let way = 0; way < WAYS; way += 1) if (places[group + way] === hash) return true
    return false
  }
  const groupOf = (hash: number): number => (hash % GROUPS) * WAYS

  /** An empty place, or in turn. */
  const placeIn = (group: number): number => {
    for (let way = 0; way < WAYS; way += 1) if (places[group + way] === 0) return group + way
    turn = (turn + 1) % WAYS
    return group + turn
  }

  return {
    note: asked => {
      const hash = hashOf(asked)
      const group = groupOf(hash)
      if (isIn(group, hash)) return true
      places[placeIn(group)] = hash
      return false
    },
    has: asked => {
      const hash = hashOf(asked)
      return isIn(groupOf(hash), hash)
    },
  }
}
