// A form with a file, sent as a browser without script does.
import { hiddenFieldsOf, type Person, type Shown } from '../support/person.ts'

export interface SentForm {
  readonly page: string
  /** By default the page's own address. */
  readonly action?: string
  readonly fields?: Readonly<Record<string, string>>
  /** Without one, the empty file that browsers send if nothing was chosen. */
  readonly file?: { readonly name: string; readonly content: string | Buffer }
}

export const sendForm = async (
  person: Person,
  { page, action = page, fields = {}, file = { name: '', content: '' } }: SentForm,
): Promise<Shown> => {
  const { text } = await person.get(page)
  const sent = new FormData()
  for (const [field, value] of Object.entries({ ...hiddenFieldsOf(text, action), ...fields })) sent.set(field, value)
  sent.set('sheet', new Blob([new Uint8Array(Buffer.from(file.content))]), file.name)
  return person.send(action, sent)
}
