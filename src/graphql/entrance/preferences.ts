// A header such as `Accept` → the sender's preferences, with weights. RFC 9110, section 12.4.2

export interface Preference {
  readonly name: string
  /** From 0, not at all, to 1. */
  readonly quality: number
}

const readPreference = (text: string): Preference => {
  const [name = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const quality = parameters.find(parameter => parameter.startsWith('q='))
  return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
}

export const preferencesOf = (header: string): Preference[] => header.split(',').map(readPreference)
