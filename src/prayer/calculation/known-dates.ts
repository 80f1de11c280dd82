// The days that times and hijri dates are calculated of.

export const FIRST_DATE = '1900-01-01'
/** ICU's Umm al-Qura calendar ends in the year after. */
export const LAST_DATE = '2173-12-31'
