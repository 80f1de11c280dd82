// A comment in the database → its annotations (first lines beginning with @) and the description that follows them.

export interface Comment {
  /** The words after each annotation's name: `@scope a b` gives `scope` → `a b`. The last of a kind counts. */
  readonly annotations: ReadonlyMap<string, string>
  readonly description: string | undefined
}

const annotation = /^@([a-z_]+)(?:\s+(.*))?$/

export const readComment = (comment: string | null): Comment => {
  const lines = (comment ?? '').split('\n')
  const annotations = new Map<string, string>()
  let line = lines[0]
  while (line !== undefined) {
    const match = annotation.exec(line.trim())
    if (match === null) break
    annotations.set(match[1] ?? '', (match[2] ?? '').trim())
    lines.shift()
    line = lines[0]
  }
  const description = lines.join('\n').trim()
  return { annotations, description: description === '' ? undefined : description }
}

/** `@key masjid_id, date` → the words, by commas or spaces. */
export const wordsOf = (text: string | undefined): readonly string[] =>
  (text ?? '').split(/[\s,]+/).filter(word => word !== '')
