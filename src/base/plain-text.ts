// Text that people typed → whether it has invisible characters that change how the rest is read, or make two names look the same.

/** Control characters, line separators, and the marks that embed, override or isolate a direction (Unicode TR 36). */
const turning = String.raw`\u2028\u2029\u202a-\u202e\u2066-\u2069`
/** A space without width, a joiner of words, and a byte order mark. */
const ofNoWidth = String.raw`\u200b\u2060\ufeff`

const unseen = new RegExp(String.raw`[\p{Cc}${turning}${ofNoWidth}]`, 'u')
const unseenButLines = new RegExp(String.raw`[^\P{Cc}\t\r\n]|[${turning}]`, 'u')
const everyUnseenButLines = new RegExp(String.raw`[^\P{Cc}\t\r\n]|[${turning}${ofNoWidth}]`, 'gu')

/**
 * For every name that others are shown: one line. Joiners (U+200C and U+200D: Persian, Urdu, Bengali, emoji) and simple direction
 * marks are ordinary there. The database has the same rule: `is_plain_line`.
 */
export const isPlainLine = (text: string): boolean => !unseen.test(text)

/** For descriptions: lines and tabs are allowed. */
export const isPlainText = (text: string): boolean => !unseenButLines.test(text)

const anyUnseenButLines = new RegExp(everyUnseenButLines.source, 'u')

/** Whether JSON may have such a character in one of its texts: it has one as it is, or something written by its number. */
export const mayHaveUnseen = (json: string): boolean => json.includes('\\u') || anyUnseenButLines.test(json)

/** The text without them; lines and tabs stay. For what programs have written, such as spreadsheets. */
export const withoutUnseen = (text: string): string => text.replaceAll(everyUnseenButLines, '')
