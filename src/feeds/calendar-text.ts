// Components and properties → the text of a calendar (RFC 5545): escaped, folded, with CRLF at the end of every line.

/** A name with its parameters (`DTSTART;TZID=Europe/London`) and its value, already escaped if it is text. */
export type Property = readonly [name: string, value: string]

export interface Component {
  readonly name: string
  readonly properties: readonly Property[]
  /** More of them, as `writeProperties` wrote them: those of all events of a calendar are written once. */
  readonly written?: string
  readonly components?: readonly Component[]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get in
const needsEscape = /[\\;,\u0000-\u0008\u000a-\u001f\u007f]/

const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get in
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

/** RFC 5545 section 3.3.11: backslash, semicolon, comma and line break are written with a backslash. */
export const escapeText = (text: string): string => (needsEscape.test(text) ? escaped(text) : text)

const LINE_OCTETS = 75
/** Of one unit of a string in UTF-8. */
const MOST_OCTETS = 3

/** How many octets the letter at an index takes in UTF-8; a pair of surrogates is counted at its first half. */
const octetsAt = (line: string, index: number): number => {
  const code = line.charCodeAt(index)
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  const isPair = code >= 0xd800 && code < 0xdc00 && isLowSurrogate(line.charCodeAt(index + 1))
  return isPair ? 4 : 3
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000

/** Where the next line starts, if the one from `start` may take this many octets. */
const endOfLine = (line: string, start: number, octets: number): number => {
  let left = octets
  let index = start
  while (index < line.length) {
    const size = octetsAt(line, index)
    if (size > left) return index
    left -= size
    index += size === 4 ? 2 : 1
  }
  return index
}

/** RFC 5545 section 3.1: lines of at most 75 octets; longer ones are folded with a line break and a space, never inside a character. */
export const foldLine = (line: string): string => {
  if (line.length * MOST_OCTETS <= LINE_OCTETS) return line
  const octets = Buffer.byteLength(line)
  if (octets <= LINE_OCTETS) return line
  const endOf = octets === line.length ? (_line: string, start: number, count: number) => start + count : endOfLine
  let end = endOf(line, 0, LINE_OCTETS)
  let folded = line.slice(0, end)
  while (end < line.length) {
    const start = end
    end = endOf(line, start, LINE_OCTETS - 1)
    folded += `\r\n ${line.slice(start, end)}`
  }
  return folded
}

export const writeProperties = (properties: readonly Property[]): string => {
  let text = ''
  for (const [property, value] of properties) text += `${foldLine(`${property}:${value}`)}\r\n`
  return text
}

/** A year of times is thirty thousand lines: one text, without lists in between. */
export const writeCalendar = ({ name, properties, written = '', components = [] }: Component): string => {
  let text = `BEGIN:${name}\r\n${writeProperties(properties)}${written}`
  for (const component of components) text += writeCalendar(component)
  return `${text}END:${name}\r\n`
}
