// A text → whether it is the id of a row.

const HEX = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** For JSON schemas. */
export const UUID_PATTERN = `^${HEX}$`

/** RFC 9562, section 5.9: before all others, and of no row. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

const stored = new RegExp(UUID_PATTERN)
const typed = new RegExp(UUID_PATTERN, 'i')

/** As the database writes it: two that differ are two rows. */
export const isUuid = (text: string): boolean => stored.test(text)

/** As people and other programs may write it. */
export const isUuidInAnyCase = (text: string): boolean => typed.test(text)
