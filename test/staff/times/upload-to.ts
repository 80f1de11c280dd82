// The upload form of the timetables, sent as a browser without script does.
import type { Person, Shown } from '../../support/person.ts'
import { sendForm } from '../send-form.ts'

export interface Upload {
  readonly name?: string
  readonly content?: string | Buffer
  readonly pasted?: string
  readonly address?: string
}

export const uploadTo = (
  person: Person,
  base: string,
  { name = '', content = '', pasted = '', address = '' }: Upload,
): Promise<Shown> =>
  sendForm(person, { page: base, action: `${base}/sheets`, fields: { pasted, address }, file: { name, content } })
