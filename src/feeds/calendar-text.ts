// Components and properties → the text of a calendar (RFC 5545): escaped, folded, with CRLF at the end of every line.

/** A name with its parameters (`DTSTART;TZID=Europe/London`) and its value, already escaped if it is text. */
export type Property = readonly [name: string, value: string]

export interface Component {
  readonly name: string
  readonly properties: readonly Property[]
  readonly components?: readonly Component[]
}

/** RFC 5545 section 3.3.11: backslash, semicolon, comma and line break are written with a backslash. */
export const escapeText = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get in
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

const LINE_OCTETS = 75

/** RFC 5545 section 3.1: lines of at most 75 octets; longer ones are folded with a line break and a space, never inside a character. */
export const foldLine = (line: string): string => {
  const lines: string[] = []
  let current = ''
  let octets = 0
  for (const letter of line) {
    const size = Buffer.byteLength(letter)
    if (octets + size > LINE_OCTETS) {
      lines.push(current)
      current = ' '
      octets = 1
    }
    current += letter
    octets += size
  }
  return [...lines, current].join('\r\n')
}

const linesOf = ({ name, properties, components = [] }: Component): string[] => [
  `BEGIN:${name}`,
  ...properties.map(([property, value]) => foldLine(`${property}:${value}`)),
  ...components.flatMap(linesOf),
  `END:${name}`,
]

export const writeCalendar = (calendar: Component): string => `${linesOf(calendar).join('\r\n')}\r\n`
