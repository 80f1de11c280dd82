// Text in any of the languages of timetables → plain words: small letters, no accents or vowel signs, Western digits.

const westernDigit = (digit: string): string => {
  const code = digit.charCodeAt(0)
  return String(code >= 0x6f0 ? code - 0x6f0 : code - 0x660)
}

/** Arabic-Indic and Persian digits → Western ones. */
const withWesternDigits = (text: string): string => text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, westernDigit)

/** Letters that are written in several ways, in Arabic and in Urdu. */
const letters: readonly (readonly [RegExp, string])[] = [
  [/[أإآٱ]/g, 'ا'],
  [/[ىیے]/g, 'ي'],
  [/[ةہھۃ]/g, 'ه'],
  [/ک/g, 'ك'],
  [/ؤ/g, 'و'],
  [/[ئء]/g, ''],
  [/[ıİ]/g, 'i'],
]

export const plainText = (text: string): string => {
  const small = withWesternDigits(text)
    .normalize('NFKD')
    .replace(/\p{Mn}|\u0640|[\u200c-\u200f\u202a-\u202e]/gu, '')
  const unified = letters.reduce((done, [pattern, letter]) => done.replace(pattern, letter), small.normalize('NFC'))
  return unified
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[’‘'`ʿʾ]/g, '')
}

export const wordsIn = (text: string): string[] => plainText(text).match(/[\p{L}]+|\d+/gu) ?? []
