// The conditions of a field: a comparison each, one to add, and those that are written in the query.
import { fillWords, make, words } from '../page-parts.js'
import { comparedColumns, conditionText, readConditions, whereText } from './conditions.js'
import { createChoice, createField } from './controls.js'
import { firstValue } from './literals.js'

const { getNamedType } = GraphiQL.GraphQL

/** What can be chosen instead of typed. */
const choicesFor = ({ column, operator }) => {
  if (operator === '_is_null' || (column.type.name === 'Boolean' && operator !== '_in'))
    return [
      ['true', words.builder.yes],
      ['false', words.builder.no],
    ]
  if (column.type.getValues === undefined || operator === '_in') return undefined
  return column.type.getValues().map(({ name }) => [name, name])
}

const createCondition = (name, { change, remove }) => {
  let current
  const label = part => `${name}: ${part}`
  const operator = createChoice({
    label: label(words.builder.operator),
    change: chosen => change({ ...current, operator: chosen, typed: chosen === '_is_null' ? 'true' : current.typed }),
  })
  const changeValue = typed => change({ ...current, typed })
  const typedValue = createField({ label: label(words.builder.value), change: changeValue })
  const chosenValue = createChoice({ label: label(words.builder.value), change: changeValue })
  const removal = fillWords(words.builder.removeCondition, { column: name })
  const button = make('button', { type: 'button', className: 'remove', ariaLabel: removal, title: removal }, '×')
  button.addEventListener('click', () => remove())
  const shown = make(
    'li',
    { className: 'condition' },
    make('code', { dir: 'ltr' }, name),
    operator.shown,
    typedValue.shown,
    chosenValue.shown,
    button,
  )
  return {
    shown,
    show: simple => {
      current = simple
      const choices = choicesFor(simple)
      operator.show(
        simple.column.operators.map(one => [one, one]),
        simple.operator,
      )
      typedValue.shown.hidden = choices !== undefined
      chosenValue.shown.hidden = choices === undefined
      if (choices === undefined) typedValue.show(simple.typed)
      else chosenValue.show(choices, simple.typed)
    },
  }
}

/** @param edit takes another text for the argument, or undefined to take it away. */
export const createWherePart = (inputType, { keyed, place, edit }) => {
  const columns = comparedColumns(inputType, getNamedType)
  let conditions = []
  const write = sources => edit(whereText(sources))
  const sourcesWith = (index, source) =>
    conditions.map((one, at) => (at === index ? source : one.source)).filter(one => one !== undefined)

  const add = createChoice({
    label: words.builder.addCondition,
    change: name => {
      const column = columns.find(one => one.name === name)
      if (column === undefined) return
      const typed = firstValue(column.type).replace(/^""$/, '')
      const [operator] = column.operators
      write([...conditions.map(({ source }) => source), conditionText({ column, operator, typed })])
    },
  })
  const list = make('ul', { className: 'conditions' })
  const shown = make('div', { className: 'argument' }, make('span', {}, words.builder.conditions), list, add.shown)

  const written = ({ name }) =>
    keyed(`written ${name}`, () =>
      make(
        'li',
        { className: 'condition' },
        make('code', { dir: 'ltr' }, name),
        make('span', { className: 'soft small' }, words.builder.written),
      ),
    )
  const entry = (condition, index) => {
    if (condition.simple === undefined) return written(condition)
    const part = keyed(`condition ${index} ${condition.name}`, () =>
      createCondition(condition.name, {
        change: simple => write(sourcesWith(index, conditionText(simple))),
        remove: () => write(sourcesWith(index, undefined)),
      }),
    )
    part.show(condition.simple)
    return part.shown
  }
  return {
    shown,
    show: (text, value) => {
      const read = readConditions(text, value, columns)
      conditions = read ?? []
      add.shown.hidden = read === undefined
      add.show([['', `${words.builder.addCondition}…`], ...columns.map(({ name }) => [name, name])], '')
      place(list, read === undefined ? [written({ name: 'where' })] : conditions.map(entry))
    },
  }
}
