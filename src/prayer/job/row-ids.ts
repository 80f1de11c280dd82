// Ascending identifiers of version 7 (RFC 9562 section 5.7): two million random ones would scatter over the index.
import { randomBytes } from 'node:crypto'

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')

export const createRowIds = (now: () => number = Date.now): (() => string) => {
  const random = randomBytes(6).toString('hex')
  const tail = `7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 10)}`
  let count = 0
  return () => {
    const time = hex(now(), 12)
    count = (count + 1) % 0x1_0000_0000
    return `${time.slice(0, 8)}-${time.slice(8)}-${tail}${hex(count, 8)}`
  }
}
