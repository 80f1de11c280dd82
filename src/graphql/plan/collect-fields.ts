// Selection sets → fields by response key, in query order, with fragments expanded and directives applied.
import { type DirectiveNode, type FieldNode, Kind, type SelectionNode, type SelectionSetNode } from 'graphql'
import type { CollectedField } from './collected-field.ts'
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

const fieldsIn = function* (context: PlanContext, set: SelectionSetNode): Generator<FieldNode> {
  for (const selection of set.selections) {
    if (!isIncluded(context, selection)) continue
    if (selection.kind === Kind.FIELD) {
      checkRequired(context, selection)
      yield selection
    } else if (selection.kind === Kind.INLINE_FRAGMENT) yield* fieldsIn(context, selection.selectionSet)
    else {
      const fragment = context.fragments.get(selection.name.value)
      if (fragment !== undefined) yield* fieldsIn(context, fragment.selectionSet)
    }
  }
}

export const collectFields = (context: PlanContext, sets: readonly SelectionSetNode[]): CollectedField[] => {
  const found = new Map<string, { node: FieldNode; selections: SelectionSetNode[] }>()
  for (const set of sets) {
    for (const node of fieldsIn(context, set)) {
      const key = node.alias?.value ?? node.name.value
      const known = found.get(key) ?? { node, selections: [] }
      if (node.selectionSet !== undefined) known.selections.push(node.selectionSet)
      found.set(key, known)
    }
  }
  return [...found].map(([key, { node, selections }]) => ({ key, name: node.name.value, node, selections }))
}
