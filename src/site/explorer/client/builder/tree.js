// The fields of the schema → a tree of ticks, which follows the query, and changes it.
import { fillWords, isolated, make, words } from '../page-parts.js'
import { createArgumentPart } from './argument-part.js'
import { addField, removeField, setArgument } from './edit-query.js'
import { createKeyed, place } from './keyed.js'
import { newField } from './new-field.js'
import { argumentOf, fieldAt } from './read-query.js'

const library = GraphiQL.GraphQL
const { getNamedType } = library

const fieldsOf = type => Object.values(getNamedType(type).getFields?.() ?? {})

/** Plain columns first, then what leads further. */
const inOrder = fields => fields.toSorted((one, other) => Number(leads(one)) - Number(leads(other)))

const leads = ({ type }) => fieldsOf(type).length > 0

const createRow = ({ name, type, description }, { tick, toggle }) => {
  const box = make('input', { type: 'checkbox' })
  box.addEventListener('change', () => tick(box.checked))
  const label = make('label', { title: description ?? '' }, box, make('code', { dir: 'ltr' }, name))
  const kind = make('span', { className: 'kind', 'aria-hidden': 'true' }, isolated(String(type).replace('!', '')))
  const button = make('button', { type: 'button', className: 'toggle' })
  button.ariaLabel = fillWords(words.builder.open, { name })
  button.addEventListener('click', toggle)
  const row = make('div', { className: 'field-row' }, ...(leads({ type }) ? [button, label] : [label, kind]))
  const inside = make('div', { className: 'field-inside' })
  return { shown: make('li', {}, row, inside), box, button, inside }
}

/** @param now returns the query as it is in the editor, if it can be read; `write` takes the text of the changed one. */
export const createTree = ({ now, write }) => {
  const keyed = createKeyed()
  /** Opened or closed by hand; otherwise what is ticked is open. */
  const byHand = new Map()
  let query
  let redraw = () => undefined

  const tick = (fields, isTicked) => {
    const path = fields.map(({ name }) => name)
    // Fields above that are missing get nothing but this one.
    const added = fields.map((field, index) => {
      const made = newField(library, field, index)
      return index === fields.length - 1 ? made : { ...made, inside: [] }
    })
    const current = now()
    if (current === undefined) return
    write(isTicked ? addField(current, added) : removeField(current, path))
  }

  const argumentParts = (path, field, node) =>
    field.args.flatMap(argument => {
      const key = `${path}(${argument.name}`
      const part = keyed(key, () =>
        createArgumentPart(argument, {
          keyed: (inner, create) => keyed(`${key} ${inner}`, create),
          place,
          edit: value => {
            const current = now()
            const edited = current && fieldAt(current, path.split('.'))
            if (edited !== undefined) write(setArgument(current, edited, { name: argument.name, value }))
          },
        }),
      )
      if (part === undefined) return []
      part.show(query.text, argumentOf(node, argument.name)?.value)
      return [part.shown]
    })

  const drawField = (above, field, matches) => {
    const fields = [...above, field]
    const path = fields.map(({ name }) => name).join('.')
    const node = fieldAt(query, path.split('.'))
    const isOpen = byHand.get(path) ?? (node !== undefined || matches !== undefined)
    const row = keyed(path, () =>
      createRow(field, {
        tick: isTicked => {
          byHand.delete(path)
          tick(fields, isTicked)
        },
        toggle: () => {
          byHand.set(path, row.button.ariaExpanded !== 'true')
          redraw()
        },
      }),
    )
    row.box.checked = node !== undefined
    row.button.ariaExpanded = String(isOpen)
    place(row.inside, insideOf({ fields, path, node, isOpen, matches }))
    return row.shown
  }

  const insideOf = ({ fields, path, node, isOpen, matches }) => {
    const field = fields.at(-1)
    const shown = node === undefined ? [] : argumentParts(path, field, node)
    const given = keyed(`${path}()`, () => make('div', { className: 'arguments' }))
    const parts = shown.length === 0 || (leads(field) && !isOpen) ? [] : [place(given, shown)]
    if (!isOpen || !leads(field)) return parts
    const inner = inOrder(fieldsOf(field.type)).filter(({ name }) => matches?.(name) ?? true)
    const list = keyed(`${path}.`, () => make('ul'))
    return [
      ...parts,
      place(
        list,
        inner.map(one => drawField(fields, one)),
      ),
    ]
  }

  return {
    onRedraw: work => {
      redraw = work
    },
    /** @param matches which fields of it to show, while somebody looks for one. */
    draw: (current, field, matches) => {
      query = current
      return drawField([], field, matches)
    },
  }
}
