// The statements a connection keeps prepared: the most recently used, up to a fixed number.

const MOST = 256

export interface PreparedNames {
  /** Whether the name was known; it is from now on. */
  use(name: string): boolean
  /** It will be prepared again at its next use. */
  forget(name: string): void
  /** The one to deallocate, if there are too many. */
  takeOldest(): string | undefined
}

export const createPreparedNames = (most = MOST): PreparedNames => {
  const names = new Set<string>()
  return {
    use: name => {
      const known = names.delete(name)
      names.add(name)
      return known
    },
    forget: name => void names.delete(name),
    takeOldest: () => {
      const [oldest] = names
      if (names.size <= most || oldest === undefined) return undefined
      names.delete(oldest)
      return oldest
    },
  }
}
