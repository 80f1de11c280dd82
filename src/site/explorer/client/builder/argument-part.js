// One argument of a field in the query → its control: conditions, an order, or a value.
import { make, words } from '../page-parts.js'
import { orderText, readOrder, sortedColumns } from './conditions.js'
import { createChoice, createField } from './controls.js'
import { isNumber, literalOf, typedOf } from './literals.js'
import { createWherePart } from './where-part.js'

const { getNamedType, isEnumType, isInputObjectType, isLeafType, isListType, getNullableType } = GraphiQL.GraphQL

const directions = [
  ['asc', words.builder.ascending],
  ['desc', words.builder.descending],
]

const createOrderPart = (inputType, edit) => {
  let current = { column: '', direction: 'asc' }
  const names = sortedColumns(inputType, isEnumType, getNamedType)
  const change = part => edit(orderText({ ...current, ...part }))
  const column = createChoice({
    label: words.builder.order,
    isLabelShown: true,
    change: value => change({ column: value }),
  })
  const direction = createChoice({ label: words.builder.direction, change: value => change({ direction: value }) })
  const shown = make('div', { className: 'argument order' }, column.shown, direction.shown)
  return {
    shown,
    show: (_text, value) => {
      const read = readOrder(value)
      current = read ?? { column: '', direction: 'asc' }
      const first = ['', read === undefined ? words.builder.written : words.builder.none]
      column.show([first, ...names.map(name => [name, name])], current.column)
      direction.show(directions, current.direction)
      direction.shown.hidden = current.column === ''
    },
  }
}

const createValuePart = ({ name, type }, edit) => {
  const named = getNamedType(type)
  const change = typed => edit(typed.trim() === '' ? undefined : literalOf(named, typed))
  const isChosen = isEnumType(named) || named.name === 'Boolean'
  const values = isEnumType(named) ? named.getValues().map(one => one.name) : ['true', 'false']
  const options = { label: name, isLabelShown: true, change, isNumber: isNumber(named) }
  const control = isChosen ? createChoice(options) : createField(options)
  return {
    shown: make('div', { className: 'argument' }, control.shown),
    show: (text, value) => {
      const typed = value === undefined ? '' : typedOf(value)
      const source = typed === undefined ? text.slice(value.loc.start, value.loc.end) : ''
      if (isChosen) control.show([['', source || words.builder.none], ...values.map(one => [one, one])], typed ?? '')
      else control.show(typed ?? '', source)
    },
  }
}

/** @returns nothing for arguments that are only written in the query. */
export const createArgumentPart = (argument, tools) => {
  const named = getNamedType(argument.type)
  if (argument.name === 'where' && isInputObjectType(named)) return createWherePart(named, tools)
  if (argument.name === 'order_by' && isInputObjectType(named)) return createOrderPart(named, tools.edit)
  const isSingle = isLeafType(named) && !isListType(getNullableType(argument.type))
  return isSingle ? createValuePart(argument, tools.edit) : undefined
}
