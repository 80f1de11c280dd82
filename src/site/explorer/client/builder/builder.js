// The builder: the root fields of the schema, those one looks for, and their ticks, always as the query in the editor is.
import { changeQuery, queryEditor } from '../editors.js'
import { element, make, words } from '../page-parts.js'
import { place } from './keyed.js'
import { kindOf, readQuery } from './read-query.js'
import { createTree } from './tree.js'

const { getNamedType, isListType, getNullableType, parse } = GraphiQL.GraphQL

/** The tables: lists with conditions. Rows by key, totals, streams and functions are behind "other fields". */
const isTable = ({ type, args, name }) =>
  isListType(getNullableType(type)) && args.some(argument => argument.name === 'where') && !/_stream$/.test(name)

const isTicked = shown => shown.querySelector('input').checked

const hasFunctionArguments = ({ args }) => args.some(argument => argument.name === 'args')

export const createBuilder = () => {
  /** `first`: the fields of the query as it was opened or typed, which stand first. Ticks move nothing. */
  const state = { schema: undefined, text: '', term: '', first: undefined }
  const host = element('builder-tree')
  const tell = text => {
    if (element('builder-state').textContent !== text) element('builder-state').textContent = text
  }
  const list = make('ul')
  const others = make('ul')
  const more = make('details', {}, make('summary', {}, words.builder.more), others)

  const write = text => {
    state.text = text
    draw()
    changeQuery(text)
  }
  const now = () => readQuery(queryEditor().getValue(), parse)
  let tree = createTree({ now, write })

  const rootsOf = query => {
    const type = { query: 'getQueryType', mutation: 'getMutationType', subscription: 'getSubscriptionType' }
    return Object.values(state.schema[type[kindOf(query)]]()?.getFields() ?? {})
  }

  /** Which of its fields to show: all of them if its own name is what one looks for. */
  const matching = field => {
    const isMatch = name => name.toLowerCase().includes(state.term)
    if (state.term === '' || isMatch(field.name)) return { isFound: true }
    const inner = Object.keys(getNamedType(field.type).getFields?.() ?? {})
    return { isFound: state.term.length > 2 && inner.some(isMatch), matches: isMatch }
  }

  const drawRoots = query => {
    const found = rootsOf(query).flatMap(field => {
      const { isFound, matches } = matching(field)
      return isFound ? [{ field, shown: tree.draw(query, field, matches) }] : []
    })
    state.first ??= new Set(found.filter(({ shown }) => isTicked(shown)).map(({ field }) => field.name))
    const isOpened = ({ field }) => state.first.has(field.name)
    const isFirst = one => isOpened(one) || (isTable(one.field) && !hasFunctionArguments(one.field))
    const first = found.filter(isFirst).toSorted((one, other) => Number(isOpened(other)) - Number(isOpened(one)))
    const rest = found.filter(one => !isFirst(one))
    place(
      list,
      first.map(({ shown }) => shown),
    )
    place(
      others,
      rest.map(({ shown }) => shown),
    )
    if (state.term !== '' || first.length === 0) more.open = true
    place(host, [...(first.length === 0 ? [] : [list]), ...(rest.length === 0 ? [] : [more])])
    tell(found.length === 0 ? words.builder.nothingFound : '')
  }

  const draw = () => {
    if (element('builder').hidden) return
    if (state.schema === undefined) return tell(words.builder.waiting)
    const query = readQuery(state.text, parse)
    host.inert = query === undefined
    host.classList.toggle('stale', query === undefined)
    if (query === undefined) return tell(words.builder.unreadable)
    drawRoots(query)
  }

  const follow = text => {
    if (text === state.text) return
    state.text = text
    state.first = undefined
    draw()
  }

  tree.onRedraw(draw)
  element('builder').addEventListener('opened', draw)
  element('builder-find').addEventListener('input', event => {
    state.term = event.target.value.trim().toLowerCase()
    draw()
  })
  return {
    follow,
    useSchema: schema => {
      if (schema === state.schema) return
      state.schema = schema ?? undefined
      // Other fields may have other types now.
      tree = createTree({ now, write })
      tree.onRedraw(draw)
      draw()
    },
  }
}
