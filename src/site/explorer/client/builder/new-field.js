// A field of the schema → what is written for it when it is ticked: what it must be given, and a first field or two inside. Pure.
import { firstValue } from './literals.js'

const DEEPEST = 3
const USUAL = ['id', 'name', 'title', 'slug']

const isPlain = ({ isLeafType, getNamedType, isRequiredArgument }, { type, args }) =>
  isLeafType(getNamedType(type)) && !args.some(isRequiredArgument)

const insideOf = (library, type, depth) => {
  if (type.getFields === undefined || depth > DEEPEST) return []
  const fields = Object.values(type.getFields())
  const plain = fields.filter(field => isPlain(library, field))
  const usual = plain.filter(({ name }) => USUAL.includes(name)).slice(0, 2)
  const chosen = usual.length > 0 ? usual : plain.length > 0 ? plain.slice(0, 1) : fields.slice(0, 1)
  return chosen.map(field => newField(library, field, depth + 1))
}

/** @param library of graphql-js */
export const newField = (library, { name, type, args }, depth = 0) => {
  const { getNamedType, isRequiredArgument } = library
  const given = args
    .filter(isRequiredArgument)
    .map(argument => `${argument.name}: ${firstValue(getNamedType(argument.type))}`)
  if (depth === 0 && args.some(argument => argument.name === 'limit')) given.push('limit: 10')
  return {
    name,
    given: given.length === 0 ? '' : `(${given.join(', ')})`,
    inside: insideOf(library, getNamedType(type), depth),
  }
}
