// A giver and a year → the number of the receipt: the same whenever it is printed, and telling nothing about the giver.
import { createHash } from 'node:crypto'

export const receiptNumber = (masjidId: string, year: number, giver: string): string => {
  const digest = createHash('sha256').update(`${masjidId}\n${year}\n${giver}`).digest('hex')
  return `${year}-${digest.slice(0, 10).toUpperCase()}`
}
