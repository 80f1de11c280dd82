// A comment in the database → its annotations (first lines beginning with @) and the description that follows them.

export interface Comment {
  /** The text after each annotation's name: `@scope a b` gives `scope` → `a b`. If one is repeated, the last counts. */
  readonly annotations: ReadonlyMap<string, string>
  /** All texts of an annotation, in order, for those that may be repeated. */
  readonly repeated: ReadonlyMap<string, readonly string[]>
  readonly description: string | undefined
}

const annotation = /^@([a-z_]+)(?:\s+(.*))?$/

export const readComment = (comment: string | null): Comment => {
  const lines = (comment ?? '').split('\n')
  const annotations = new Map<string, string>()
  const repeated = new Map<string, string[]>()
  let line = lines[0]
  while (line !== undefined) {
    const match = annotation.exec(line.trim())
    if (match === null) break
    const [, name = '', words = ''] = match
    annotations.set(name, words.trim())
    repeated.set(name, [...(repeated.get(name) ?? []), words.trim()])
    lines.shift()
    line = lines[0]
  }
  const description = lines.join('\n').trim()
  return { annotations, repeated, description: description === '' ? undefined : description }
}

/** `@key masjid_id, date` → the words, separated by commas or spaces. */
export const wordsOf = (text: string | undefined): readonly string[] =>
  (text ?? '').split(/[\s,]+/).filter(word => word !== '')
