// Items of a selection → the same items with their keys in the response: unique, including fragments.
import type { Condition, Item } from './query.ts'

export interface Named {
  readonly item: Item
  readonly key: string
  /** The parts of a fragment. */
  readonly parts: readonly Named[]
}

const fieldOf = (item: Item): string => {
  switch (item.kind) {
    case 'typename':
      return '__typename'
    case 'column':
      return item.column
    case 'totals':
      return `${item.relation}_aggregate`
    case 'fragment':
      return ''
    default:
      return item.relation
  }
}

export const nameItems = (items: readonly Item[], used: Set<string> = new Set()): Named[] =>
  items.map(item => {
    if (item.kind === 'fragment') return { item, key: '', parts: nameItems(item.items, used) }
    const field = fieldOf(item)
    const key = item.aliased || used.has(field) ? `x${used.size}_${field.replace(/^_+/, '')}` : field
    used.add(key)
    return { item, key, parts: [] }
  })

/** A condition's key in its object. */
export const conditionKey = (condition: Condition): string => {
  switch (condition.kind) {
    case 'column':
      return condition.column
    case 'related':
      return condition.relation
    case 'total':
      return `${condition.relation}_aggregate`
    case 'all':
      return '_and'
    default:
      return `_${condition.kind}`
  }
}

/** An object has each key once: later conditions with the same key are dropped. */
export const onePerKey = <T>(all: readonly T[], keyOf: (one: T) => string): T[] =>
  [...new Map(all.toReversed().map(one => [keyOf(one), one])).values()].toReversed()
