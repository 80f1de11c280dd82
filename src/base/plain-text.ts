// Text that people typed → whether it has invisible characters that change how the rest is read.

/** Control characters, line separators, and the marks that embed, override or isolate a direction (Unicode TR 36). */
const unseen = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const unseenButLines = /[^\P{Cc}\t\r\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const everyUnseenButLines = new RegExp(unseenButLines, 'gu')

/** For names: one line. Joiners (Persian, emoji) and simple direction marks are ordinary there. */
export const isPlainLine = (text: string): boolean => !unseen.test(text)

/** For descriptions: lines and tabs are allowed. */
export const isPlainText = (text: string): boolean => !unseenButLines.test(text)

/** The text without them; lines and tabs stay. */
export const withoutUnseen = (text: string): string => text.replaceAll(everyUnseenButLines, '')
