// "30d", "12h" or a date → the moment at which something expires.
import { UsageFault } from './command.ts'

const hours: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 }
const HOUR_MS = 3_600_000

export const readExpiry = (text: string, now: Date): Date => {
  const [, amount, unit = ''] = /^(\d{1,5})([hdwy])$/.exec(text) ?? []
  if (amount !== undefined) return new Date(now.getTime() + Number(amount) * (hours[unit] ?? 0) * HOUR_MS)
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined
  if (moment === undefined || Number.isNaN(moment.getTime()))
    throw new UsageFault(`--expires ${text} cannot be read. Use 12h, 30d, 4w, 1y, or a date such as 2027-01-31.`)
  return moment
}
