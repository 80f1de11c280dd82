// Text that people typed → a pattern for LIKE that matches it literally.
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

export const beginsWith = (text: string): string => `${literal(text)}%`

export const contains = (text: string): string => `%${literal(text)}%`
