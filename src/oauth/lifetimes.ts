// Lifetimes in seconds; the documentation and the tests read the same numbers.

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The longest that an app can choose: `src/apps/lifetimes.ts`. */
export const ACCESS_TOKEN_SECONDS = HOUR
export const ID_TOKEN_SECONDS = HOUR
export const CODE_SECONDS = MINUTE

/** How long a rotated refresh token may be repeated to get the same successor: for lost responses and second tabs. */
export const REFRESH_REPEAT_SECONDS = 10

/** A screen that did not ask for so long must be paired again; while it asks, nothing ends it. */
export const SCREEN_IDLE_SECONDS = 90 * DAY

/** How long a person may take to sign in and consent. */
export const AUTHORIZATION_REQUEST_SECONDS = HOUR
/** How long the same decision may be repeated, for double clicks. */
export const DECISION_REPEAT_SECONDS = 10
/** RFC 9126 section 2.2: a pushed request is short-lived. */
export const PUSHED_REQUEST_SECONDS = 90

/** How long a person has to type a device's code and decide. */
export const DEVICE_CODE_SECONDS = 10 * MINUTE
/** RFC 8628 section 3.2: how long a device waits between two questions. */
export const DEVICE_INTERVAL_SECONDS = 5
/** RFC 8628 section 3.5: by how much `slow_down` raises the interval. */
export const DEVICE_SLOWER_SECONDS = 5

/** The `max-age` of the JWKS. */
export const JWKS_MAX_AGE_SECONDS = 5 * MINUTE
/** A next key is published at least this long before it signs: the cache time, plus a margin for slow responses. */
export const KEY_PUBLISHED_BEFORE_USE_SECONDS = JWKS_MAX_AGE_SECONDS + 2 * MINUTE
/** A retired key stays published for the lifetime of the tokens it signed, plus the cache time. */
export const KEY_PUBLISHED_AFTER_USE_SECONDS = Math.max(ACCESS_TOKEN_SECONDS, ID_TOKEN_SECONDS) + HOUR
export const KEY_ROTATION_SECONDS = 90 * DAY
