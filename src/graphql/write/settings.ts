// The settings, local to a transaction, in which its steps leave for later steps what they wrote.

/** The keys of the rows that a write of this number has written, as JSON lists with commas between them. */
export const keysSetting = (number: number): string => `minaret.keys_${number}`
/** How many rows it has written. */
export const affectedSetting = (number: number): string => `minaret.affected_${number}`
/** The rows that a function returned. */
export const rowsSetting = (number: number): string => `minaret.rows_${number}`
/** Columns of one inserted row, for rows that are linked to it. */
export const linkSetting = (number: number): string => `minaret.link_${number}`
/** The response of a write, to be stored with its Idempotency-Key. */
export const answerSetting = (number: number): string => `minaret.answer_${number}`
/** How long the responses of all writes are together. */
export const BYTES_SETTING = 'minaret.answer_bytes'
