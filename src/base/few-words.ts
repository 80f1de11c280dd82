// The words of a search → the few that are looked up: each costs time, and some of them all the words that begin with it.

/** A sentence that somebody pastes. */
const MOST_WORDS = 12

/** Each word once. A single letter begins a good part of all words: it counts only where nothing else was typed. */
export const fewWords = (words: readonly string[]): string[] => {
  const different = [...new Set(words)].filter(word => word !== '')
  const whole = different.filter(word => word.length > 1)
  return (whole.length > 0 ? whole : different.slice(0, 1)).slice(0, MOST_WORDS)
}
