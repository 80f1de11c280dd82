// Arguments as written, and the shapes of variables → one way to read both; plain values stay sources, bound later.
import { Kind, type ValueNode } from 'graphql'
import type { Shape } from './shape.ts'

/** Where the value of a parameter comes from. */
export type Source =
  | { readonly kind: 'constant'; readonly value: string | boolean | null }
  /** Kept as text, so that no digit is lost. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'variable'; readonly path: readonly (string | number)[] }
  | { readonly kind: 'list'; readonly items: readonly Source[] }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Source])[] }

export type Input =
  | { readonly kind: 'node'; readonly node: Exclude<ValueNode, { kind: 'Variable' }>; readonly variables: Variables }
  | { readonly kind: 'shape'; readonly shape: Shape; readonly path: readonly (string | number)[] }

export interface Variables {
  readonly shapes: ReadonlyMap<string, Shape>
  /** The defaults in the document, for variables that were not provided. */
  readonly defaults: ReadonlyMap<string, ValueNode>
}

/** Undefined: a variable that was not provided and has no default, which counts as absent. */
export const readInput = (node: ValueNode, variables: Variables): Input | undefined => {
  if (node.kind !== Kind.VARIABLE) return { kind: 'node', node, variables }
  const name = node.name.value
  const shape = variables.shapes.get(name)
  if (shape !== undefined) return { kind: 'shape', shape, path: [name] }
  const fallback = variables.defaults.get(name)
  return fallback === undefined ? undefined : readInput(fallback, variables)
}

export const isNullInput = (input: Input): boolean =>
  input.kind === 'node' ? input.node.kind === Kind.NULL : input.shape.kind === 'null'

/** The fields of an input object, in the order written, without absent ones. */
export const inputFields = (input: Input): readonly (readonly [string, Input])[] => {
  if (input.kind === 'shape')
    return input.shape.kind === 'object'
      ? [...input.shape.fields].map(([name, shape]) => [name, { kind: 'shape', shape, path: [...input.path, name] }])
      : []
  if (input.node.kind !== Kind.OBJECT) return []
  return input.node.fields.flatMap(({ name, value }) => {
    const read = readInput(value, input.variables)
    return read === undefined ? [] : [[name.value, read] as const]
  })
}

/** A single value where a list is expected is a list of one. */
export const inputItems = (input: Input): readonly Input[] => {
  if (input.kind === 'shape')
    return input.shape.kind === 'list'
      ? input.shape.items.map((shape, index) => ({ kind: 'shape', shape, path: [...input.path, index] }))
      : [input]
  if (input.node.kind !== Kind.LIST) return [input]
  return input.node.values.flatMap(value => readInput(value, input.variables) ?? [])
}

/** A value that affects the statement: a direction, a column's name, a boolean, a page size. */
export const knownInput = (input: Input): string | number | boolean | undefined => {
  if (input.kind === 'shape') return input.shape.kind === 'leaf' ? input.shape.known : undefined
  const { node } = input
  if (node.kind === Kind.INT) return Number(node.value)
  return node.kind === Kind.ENUM || node.kind === Kind.BOOLEAN ? node.value : undefined
}

const nodeSource = (node: ValueNode, variables: Variables): Source => {
  switch (node.kind) {
    case Kind.VARIABLE: {
      // Within a list an absent variable is null, so that the other items keep their positions (section 3.11).
      const input = readInput(node, variables)
      return input === undefined ? { kind: 'constant', value: null } : inputSource(input)
    }
    case Kind.INT:
    case Kind.FLOAT:
      return { kind: 'number', text: node.value }
    case Kind.LIST:
      return { kind: 'list', items: node.values.map(value => nodeSource(value, variables)) }
    case Kind.OBJECT:
      return {
        kind: 'object',
        fields: inputFields({ kind: 'node', node, variables }).map(
          ([name, field]) => [name, inputSource(field)] as const,
        ),
      }
    case Kind.NULL:
      return { kind: 'constant', value: null }
    default:
      return { kind: 'constant', value: node.value }
  }
}

export const inputSource = (input: Input): Source => {
  if (input.kind === 'node') return nodeSource(input.node, input.variables)
  return { kind: 'variable', path: input.path }
}
