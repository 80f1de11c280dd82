// A language and a way of writing → the runtime's formatter for it, made once: making one takes fifty times as long as using it.

/** @param make is called once for each key. There are only as many keys as languages, ways of writing, countries, and minutes in a day. */
export const madeOnce = <Key extends string, Format>(make: (key: Key) => Format): ((key: Key) => Format) => {
  const made = new Map<Key, Format>()
  return key => {
    const known = made.get(key)
    if (known !== undefined) return known
    const format = make(key)
    made.set(key, format)
    return format
  }
}
