// Selection sets → fields by response key, in query order, with fragments expanded and directives applied.
import {
  type DirectiveNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type NamedTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { GraphqlErrorCode } from '../error-code.ts'
import { limits } from '../limits/limits.ts'
import type { CollectedField } from './collected-field.ts'
import { NODE_TYPE } from './connection-names.ts'
import type { PlanContext } from './context.ts'
import { knownInput, readInput } from './input.ts'
import { checkRequired } from './required-variables.ts'

const conditionOf = (context: PlanContext, directive: DirectiveNode): boolean => {
  const value = directive.arguments?.find(({ name }) => name.value === 'if')?.value
  const input = value === undefined ? undefined : readInput(value, context.variables)
  return input !== undefined && knownInput(input) === true
}

const isIncluded = (context: PlanContext, { directives }: SelectionNode): boolean =>
  (directives ?? []).every(directive => {
    checkRequired(context, directive)
    if (directive.name.value === 'skip') return !conditionOf(context, directive)
    return directive.name.value !== 'include' || conditionOf(context, directive)
  })

/** Every row that can be reached by a fragment on an interface is a Node. */
const fits = (type: string | undefined, condition: NamedTypeNode | undefined): boolean =>
  type === undefined || condition === undefined || [type, NODE_TYPE].includes(condition.name.value)

const fieldsIn = function* (
  context: PlanContext,
  set: SelectionSetNode,
  type: string | undefined,
): Generator<FieldNode> {
  for (const selection of set.selections) {
    if (!isIncluded(context, selection)) continue
    if (selection.kind === Kind.FIELD) {
      checkRequired(context, selection)
      yield selection
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (fits(type, selection.typeCondition)) yield* fieldsIn(context, selection.selectionSet, type)
    } else {
      const fragment = context.fragments.get(selection.name.value)
      if (fragment !== undefined && fits(type, fragment.typeCondition))
        yield* fieldsIn(context, fragment.selectionSet, type)
    }
  }
}

/** A selection can apply to every entry of `update_…_many`, so that a short document would be planned thousands of times. */
const MOST_COLLECTED = 20 * limits.fields

const countCollected = ({ counted }: PlanContext, fields: number): void => {
  counted.fields += fields
  if (counted.fields > MOST_COLLECTED)
    throw new GraphQLError('The selection is too long for so many updates. Select less, or send several requests.', {
      extensions: { code: 'too-many-fields' satisfies GraphqlErrorCode },
    })
}

/** `type` is what the fields are asked of, where fragments on other types may stand beside those on it. */
export const collectFields = (
  context: PlanContext,
  sets: readonly SelectionSetNode[],
  type?: string,
): CollectedField[] => {
  const found = new Map<string, { node: FieldNode; selections: SelectionSetNode[] }>()
  for (const set of sets) {
    for (const node of fieldsIn(context, set, type)) {
      const key = node.alias?.value ?? node.name.value
      const known = found.get(key) ?? { node, selections: [] }
      if (node.selectionSet !== undefined) known.selections.push(node.selectionSet)
      found.set(key, known)
    }
  }
  countCollected(context, found.size)
  return [...found].map(([key, { node, selections }]) => ({ key, name: node.name.value, node, selections }))
}
