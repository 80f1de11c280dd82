// Text that people typed → text that is safe in our mails: one line, nothing that a mail program would turn into a link.
import { isolate } from '../base/isolate.ts'

/** Line breaks and all invisible characters, including those that change the text direction. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/** "example.org", "example.org/pay", "name@host", "tel:…": mail programs turn them into links automatically. */
const linkLike = /:\/\/|@|\/|\p{L}:\S|[\p{L}\p{N}]\.\p{L}{2,}/u

export const oneLine = (text: string): string => text.replaceAll(unseen, ' ').trim()

/** Undefined if the text would look like a link: then it is left out. */
export const mailableName = (name: string | undefined): string | undefined => {
  const line = oneLine(name ?? '')
  return line === '' || linkLike.test(line) ? undefined : line
}

/** Each value keeps its own direction. */
export const fillPlaces = (text: string, places: Readonly<Record<string, string | undefined>>): string =>
  text.replace(/\{(\w+)\}/g, (_, place: string) => isolate(places[place] ?? '', text))
