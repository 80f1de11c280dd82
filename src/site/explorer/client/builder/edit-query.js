// A query and a change → the text of the changed query. Only what changes is written: comments and layout stay. Pure.
import { argumentOf, fieldAt, kindOf } from './read-query.js'

const indentAt = (text, index) => /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', index - 1) + 1))[0]

const isFirstOnLine = (text, index) => text.slice(text.lastIndexOf('\n', index - 1) + 1, index).trim() === ''

const replace = (text, from, to, by) => text.slice(0, from) + by + text.slice(to)

const indented = (lines, indent) => lines.map(line => indent + line)

/** A new field with what is inside of it; `inside` are its fields, each of the same form. */
const linesOf = ({ name, given = '', inside = [] }) =>
  inside.length === 0 ? [`${name}${given}`] : [`${name}${given} {`, ...indented(inside.flatMap(linesOf), '  '), '}']

/** Before the closing brace: on lines of its own, or on the same line where all others are. */
const insertInto = (text, selectionSet, field) => {
  const brace = selectionSet.loc.end - 1
  if (!isFirstOnLine(text, brace)) {
    const before = /\s$/.test(text.slice(0, brace)) ? '' : ' '
    return replace(text, brace, brace, `${before}${linesOf(field).join(' ').replace(/\s+/g, ' ')} `)
  }
  const indent = `${indentAt(text, brace)}  `
  const start = text.lastIndexOf('\n', brace - 1) + 1
  return replace(text, start, start, `${indented(linesOf(field), indent).join('\n')}\n`)
}

const newOperation = (text, kind, field) => {
  const comments = text.trim() === '' ? '' : `${text.trimEnd()}\n`
  const head = kind === 'query' ? '{' : `${kind} {`
  return `${comments}${[head, ...indented(linesOf(field), '  '), '}'].join('\n')}\n`
}

const nested = ([field, ...rest]) => (rest.length === 0 ? field : { ...field, inside: [nested(rest)] })

/** @param fields from the root on, each `{ name, given, inside }`: those that are missing are added. */
export const addField = (query, fields, kind = kindOf(query)) => {
  const { text, operation } = query
  if (operation === undefined) return newOperation(text, kind, nested(fields))
  const names = fields.map(({ name }) => name)
  let depth = fields.length - 1
  while (depth > 0 && fieldAt(query, names.slice(0, depth)) === undefined) depth -= 1
  const parent = depth === 0 ? operation : fieldAt(query, names.slice(0, depth))
  const added = nested(fields.slice(depth))
  if (parent.selectionSet !== undefined) return insertInto(text, parent.selectionSet, added)
  const indent = indentAt(text, parent.loc.start)
  const inside = ['', ...indented(linesOf(added), `${indent}  `), `${indent}}`].join('\n')
  return replace(text, parent.loc.end, parent.loc.end, ` {${inside}`)
}

/** With its line, if nothing else stands there. */
const cut = (text, { start, end }) => {
  const rest = /^[ \t]*(#[^\n]*)?(\n|$)/.exec(text.slice(end))
  if (rest !== null && isFirstOnLine(text, start))
    return replace(text, text.lastIndexOf('\n', start - 1) + 1, end + rest[0].length, '')
  return replace(text, start, end + /^[ \t]*/.exec(text.slice(end))[0].length, '')
}

/** A field that loses its last field goes too: it could not be asked for. */
export const removeField = (query, path) => {
  const { text, operation } = query
  const parent = path.length === 1 ? operation : fieldAt(query, path.slice(0, -1))
  const { selections = [] } = parent?.selectionSet ?? {}
  if (selections.length === 0) return text
  const isOne = ({ kind, name }) => kind === 'Field' && name.value === path.at(-1)
  if (selections.every(isOne))
    return path.length === 1 ? cut(text, operation.loc) : removeField(query, path.slice(0, -1))
  return selections.filter(isOne).reduceRight((left, { loc }) => cut(left, loc), text)
}

const writeArgument = (text, field, { name, value }) => {
  const { arguments: given = [] } = field
  const last = given.at(-1)
  if (last === undefined) return replace(text, field.name.loc.end, field.name.loc.end, `(${name}: ${value})`)
  const between = isFirstOnLine(text, last.loc.start) ? `\n${indentAt(text, last.loc.start)}` : ', '
  return replace(text, last.loc.end, last.loc.end, `${between}${name}: ${value}`)
}

const dropArgument = (text, field, argument) => {
  if (field.arguments.length > 1) return cut(text, withComma(text, argument.loc))
  const open = text.lastIndexOf('(', argument.loc.start)
  return replace(text, open, text.indexOf(')', argument.loc.end) + 1, '')
}

const withComma = (text, { start, end }) => {
  const after = /^\s*,/.exec(text.slice(end))
  if (after !== null) return { start, end: end + after[0].length }
  const before = /,\s*$/.exec(text.slice(0, start))
  return { start: before === null ? start : before.index, end }
}

/** @param value its text in the query; undefined takes the argument away. */
export const setArgument = ({ text }, field, { name, value }) => {
  const argument = argumentOf(field, name)
  if (argument === undefined) return value === undefined ? text : writeArgument(text, field, { name, value })
  if (value === undefined) return dropArgument(text, field, argument)
  return replace(text, argument.value.loc.start, argument.value.loc.end, value)
}
