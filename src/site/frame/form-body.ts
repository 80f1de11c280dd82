// The body of a form post → its values, without characters that PostgreSQL cannot store.

type Body = Readonly<Record<string, unknown>>

export interface FormValues {
  /** The (first) value, trimmed; empty if absent. */
  text(name: string): string
  /** As typed: for passwords. */
  exact(name: string): string
  /** Every value of a repeated field. */
  list(name: string): string[]
  /** For the anti-forgery check: undefined when absent or repeated. */
  single(name: string): string | undefined
}

const clean = (value: unknown): string => (typeof value === 'string' ? value.replaceAll('\0', '') : '')

const valuesOf = (body: Body, name: string): unknown[] => {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

export const formValues = (body: unknown): FormValues => {
  const fields: Body = typeof body === 'object' && body !== null ? (body as Body) : {}
  const exact = (name: string): string => clean(valuesOf(fields, name)[0])
  return {
    text: name => exact(name).trim(),
    exact,
    list: name =>
      valuesOf(fields, name)
        .map(value => clean(value).trim())
        .filter(value => value !== ''),
    single: name => {
      const values = valuesOf(fields, name)
      return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined
    },
  }
}
