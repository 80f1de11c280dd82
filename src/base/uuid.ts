// A text → whether it is the id of a row.

const HEX = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** For JSON schemas. */
export const UUID_PATTERN = `^${HEX}$`

const stored = new RegExp(UUID_PATTERN)
const typed = new RegExp(UUID_PATTERN, 'i')

/** As the database writes it: two that differ are two rows. */
export const isUuid = (text: string): boolean => stored.test(text)

/** As people and other programs may write it. */
export const isUuidInAnyCase = (text: string): boolean => typed.test(text)
