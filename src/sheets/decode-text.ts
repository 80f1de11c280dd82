// Bytes of a text file → text: UTF-8, UTF-16 or one of the two Windows code pages that timetables come in.

/** Letters that Windows-1256 has in the place of accented Latin ones: a word of three of them is Arabic. */
const arabicWord = /[\u0621-\u064a]{3}/

const decodeAs = (bytes: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(bytes)

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Without a mark: every second byte of digits and punctuation is zero. */
const zerosAt = (bytes: Uint8Array, parity: number): number =>
  bytes.slice(0, 1000).filter((byte, index) => index % 2 === parity && byte === 0).length

const utf16Of = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const enough = Math.min(bytes.length, 1000) / 4
  if (zerosAt(bytes, 1) > enough) return 'utf-16le'
  return zerosAt(bytes, 0) > enough ? 'utf-16be' : undefined
}

export const decodeText = (bytes: Uint8Array): string => {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) return decodeAs(bytes, utf16)
  if (isUtf8(bytes)) return decodeAs(bytes, 'utf-8')
  const arabic = decodeAs(bytes, 'windows-1256')
  return arabicWord.test(arabic) ? arabic : decodeAs(bytes, 'windows-1252')
}
