// An address → whether it may ask once more this minute.

export const REQUESTS_PER_MINUTE = 1200
