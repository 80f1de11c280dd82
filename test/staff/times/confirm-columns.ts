// The columns of a draft, sent as they were guessed, with these changes.
import { decodeHtml, hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'

export const confirmColumns = async (
  person: Person,
  draft: string,
  changes: Record<string, string> = {},
): Promise<Shown> => {
  const { text } = await person.get(draft)
  const chosen = [...text.matchAll(/<select id="(column_\d+)"[\s\S]*?<\/select>/g)].map(([select, name = '']) => [
    name,
    decodeHtml(/<option value="([^"]*)" selected/.exec(select)?.[1] ?? ''),
  ])
  return person.post(draft, { ...hiddenFieldsOf(text, draft), ...Object.fromEntries(chosen), ...changes })
}
