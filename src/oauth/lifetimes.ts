// How long each thing lives, in seconds; the documentation and the tests read the same numbers.

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const ACCESS_TOKEN_SECONDS = HOUR
export const ID_TOKEN_SECONDS = HOUR
export const CODE_SECONDS = MINUTE

/** A rotated refresh token may be repeated this long and then gets the same successor: lost answers, two tabs. */
export const REFRESH_REPEAT_SECONDS = 10
export const REFRESH_IDLE_SECONDS = 30 * DAY
export const REFRESH_TOTAL_SECONDS = 180 * DAY

/** How long a person may take over signing in and consenting. */
export const AUTHORIZATION_REQUEST_SECONDS = HOUR
/** How long the same decision may come again: a double click. */
export const DECISION_REPEAT_SECONDS = 10
/** RFC 9126 section 2.2: a pushed request is short-lived. */
export const PUSHED_REQUEST_SECONDS = 90

/** What the JWKS allows caches to keep. */
export const JWKS_MAX_AGE_SECONDS = 5 * MINUTE
/** A next key is published at least this long before it signs: the caches' time and a generous answer's way. */
export const KEY_PUBLISHED_BEFORE_USE_SECONDS = JWKS_MAX_AGE_SECONDS + 2 * MINUTE
/** A retired key stays published for as long as a token signed with it may live, and the caches' time. */
export const KEY_PUBLISHED_AFTER_USE_SECONDS = Math.max(ACCESS_TOKEN_SECONDS, ID_TOKEN_SECONDS) + HOUR
export const KEY_ROTATION_SECONDS = 90 * DAY
