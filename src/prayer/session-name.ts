// A prayer's name, the number of its session and the masjid's own name for it → what the session is called.

export interface Session {
  readonly session: number
  readonly label?: string | null
}

/** Apostrophes, capitals and points are written in many ways. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** A label such as “After work” does not say which prayer it is; “First Jumu’ah” does. */
export const sessionName = (prayer: string, { session, label }: Session): string => {
  if (label == null || label === '') return session > 1 ? `${prayer} ${session}` : prayer
  return lettersOf(label).includes(lettersOf(prayer)) ? label : `${prayer} · ${label}`
}
