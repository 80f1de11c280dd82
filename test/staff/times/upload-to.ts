// The upload form of the timetables, sent as a browser without script does.
import { hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'

export interface Upload {
  readonly name?: string
  readonly content?: string | Buffer
  readonly pasted?: string
  readonly address?: string
}

export const uploadTo = async (
  person: Person,
  base: string,
  { name = '', content = '', pasted = '', address = '' }: Upload,
): Promise<Shown> => {
  const { text } = await person.get(base)
  const fields = new FormData()
  for (const [field, value] of Object.entries(hiddenFieldsOf(text, `${base}/sheets`))) fields.set(field, value)
  fields.set('sheet', new Blob([new Uint8Array(Buffer.from(content))]), name)
  fields.set('pasted', pasted)
  fields.set('address', address)
  return person.send(`${base}/sheets`, fields)
}
