// Words that people typed → words that may stand in a mail of ours: one line, nothing a mail program would turn into a link.

/** Line breaks and everything that is not seen, the marks that turn the direction of text among it. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/** "example.org", "example.org/pay", "name@host", "tel:…": mail programs make links of them without being asked. */
const linkLike = /:\/\/|@|\/|\p{L}:\S|[\p{L}\p{N}]\.\p{L}{2,}/u

export const oneLine = (text: string): string => text.replaceAll(unseen, ' ').trim()

/** Undefined where the words would look like a link: then they are better left out. */
export const mailableName = (name: string | undefined): string | undefined => {
  const line = oneLine(name ?? '')
  return line === '' || linkLike.test(line) ? undefined : line
}

export const fillPlaces = (text: string, places: Readonly<Record<string, string | undefined>>): string =>
  text.replace(/\{(\w+)\}/g, (_, place: string) => places[place] ?? '')
