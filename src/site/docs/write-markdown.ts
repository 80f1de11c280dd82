// Texts and lists → Markdown that says exactly that, whatever characters are in them.

/** From outside our own files: a comment in a database may have any character. */
export const plain = (text: string): string =>
  text
    .replaceAll(/[\\`*_{}[\]<>|#&~]/g, '\\$&')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Of a name, which has no backtick. */
export const code = (name: string): string => `\`${name.replaceAll('`', '')}\``

export const codes = (names: readonly string[]): string => names.map(code).join(' ')

export const grid = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

/** Blocks with a line between them; empty ones are left out. */
export const blocks = (...parts: readonly (string | false)[]): string =>
  `${parts.filter(part => part !== false && part !== '').join('\n\n')}\n`
