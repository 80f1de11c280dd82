// A word → the form under which the search finds it: small letters, and in Arabic without vowel signs, article, joined
// particles and endings.

const spellings: readonly (readonly [RegExp, string])[] = [
  [/[\p{M}ـ]/gu, ''],
  [/[أإآ]/g, 'ا'],
  [/ى/g, 'ي'],
  [/ة/g, 'ه'],
]

/** What may go without changing what a word is about, if enough of it is left ("light10" of Larkey, Ballesteros and Connell). */
const prefixes = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال', 'و']
const suffixes = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']
const SHORTEST_STEM = 3

const stem = (word: string): string => {
  const prefix = prefixes.find(start => word.startsWith(start) && word.length - start.length >= SHORTEST_STEM) ?? ''
  const rest = word.slice(prefix.length)
  const suffix = suffixes.find(end => rest.endsWith(end) && rest.length - end.length >= SHORTEST_STEM) ?? ''
  return rest.slice(0, rest.length - suffix.length)
}

export const searchTerm = (word: string): string => {
  const plain = spellings.reduce((text, [from, to]) => text.replaceAll(from, to), word.toLowerCase())
  return /\p{Script=Arabic}/u.test(plain) ? stem(plain) : plain
}
