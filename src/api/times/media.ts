// What a request for times accepts → how they are written.
import { Fault } from '../../base/fault.ts'
import { type AnsweredQuestion, writeJson, writePlaceCalendar, writeTable } from '../../place-times/write-answer.ts'

export interface Format {
  readonly name: 'json' | 'ics' | 'csv'
  readonly contentType: string
  readonly write: (answered: AnsweredQuestion) => string
}

export const formats = [
  { name: 'json', contentType: 'application/json; charset=utf-8', write: writeJson },
  { name: 'ics', contentType: 'text/calendar; charset=utf-8', write: writePlaceCalendar },
  { name: 'csv', contentType: 'text/csv; charset=utf-8; header=present', write: writeTable },
] as const satisfies readonly Format[]

const typeOf = ({ contentType }: Format): string => contentType.split(';')[0] as string

/** The one named first; whoever accepts none of them gets JSON. RFC 9110 section 12.5.1: a header may be disregarded. */
const accepted = (accept: string): Format => {
  const types = accept.split(',').map(part => part.split(';')[0]?.trim().toLowerCase())
  const wanted = types.map(type => formats.find(format => typeOf(format) === type)).find(found => found !== undefined)
  return wanted ?? formats[0]
}

/** @throws {Fault} `bad_request` */
export const formatFor = (asked: unknown, accept: string | undefined): Format => {
  if (asked === undefined) return accepted(accept ?? '')
  const found = formats.find(({ name }) => name === asked)
  if (found !== undefined) return found
  const names = formats.map(({ name }) => name).join(', ')
  throw new Fault({ code: 'bad_request', status: 400, message: `"format" is none of ${names}.` })
}
