// Values of a query ↔ what people type: numbers, texts, choices, lists. Pure.

const NUMBERS = /^(int|float|bigint|smallint|integer|numeric|decimal|real|float4|float8|double)/i

export const isNumber = ({ name }) => NUMBERS.test(name)

/** Text as it stands in a query, for an input of this named type. */
export const literalOf = (type, text) => {
  const typed = text.trim()
  if (type.getValues !== undefined || type.name === 'Boolean') return typed
  if (isNumber(type) && /^-?\d+(\.\d+)?$/.test(typed)) return typed
  return JSON.stringify(text)
}

export const listOf = (type, text) =>
  `[${text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => literalOf(type, part))
    .join(', ')}]`

const PLAIN = new Set(['IntValue', 'FloatValue', 'StringValue', 'BooleanValue', 'EnumValue'])

/** What one would type for it; undefined for variables, objects and null, which are changed in the query itself. */
export const typedOf = node => {
  if (PLAIN.has(node.kind)) return String(node.value)
  if (node.kind !== 'ListValue' || !node.values.every(({ kind }) => PLAIN.has(kind))) return undefined
  return node.values.map(({ value }) => String(value)).join(', ')
}

/** A value that is valid until somebody chooses another. */
export const firstValue = type => {
  if (type.getValues !== undefined) return type.getValues()[0]?.name ?? '""'
  if (type.name === 'Boolean') return 'true'
  if (type.getFields !== undefined) return '{}'
  return isNumber(type) ? '0' : '""'
}
