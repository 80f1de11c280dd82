// Status and headers → the head of a response, as Node's own server writes it.
import { STATUS_CODES } from '../node-http.ts'

const unsafe = /[^\t -~]/

let second = 0
let date = ''

/** RFC 9110, section 6.6.1: a response has the date it was generated, to the second. */
const dateNow = (): string => {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) [second, date] = [now, new Date(now * 1000).toUTCString()]
  return date
}

/** @throws for a value that would end its header early. */
export const writeHead = (status: number, headers: readonly string[], last: string): string => {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] as string
    if (unsafe.test(value))
      throw new Error(`The header ${headers[at]} contains a character that is not allowed in headers.`)
    text += `${headers[at]}: ${value}\r\n`
  }
  return `${text}date: ${dateNow()}\r\n${last}\r\n\r\n`
}
