// The text of a document → the rules of graphql-js that it can break. Each rule visits every node, so thirty of them
// cost several times as much as the few that matter to most documents: one without a `$` has no variables to be wrong.
import {
  DeferStreamDirectiveLabelRule,
  DeferStreamDirectiveOnRootFieldRule,
  DeferStreamDirectiveOnValidOperationsRule,
  FragmentsOnCompositeTypesRule,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
  SingleFieldSubscriptionsRule,
  StreamDirectiveOnListFieldRule,
  specifiedRules,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  UniqueVariableNamesRule,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
  VariablesInAllowedPositionRule,
} from 'graphql'
import { valuesOfCorrectType } from '../schema/array-type.ts'

/** What a document must contain to break the rules beside it. A match in a string or a comment is harmless. */
const signs: readonly (readonly [sign: RegExp, rules: readonly ValidationRule[]])[] = [
  [
    /\$/,
    [
      VariablesAreInputTypesRule,
      UniqueVariableNamesRule,
      NoUndefinedVariablesRule,
      NoUnusedVariablesRule,
      VariablesInAllowedPositionRule,
    ],
  ],
  [
    /\.\.\.|fragment/,
    [
      FragmentsOnCompositeTypesRule,
      UniqueFragmentNamesRule,
      KnownFragmentNamesRule,
      NoUnusedFragmentsRule,
      PossibleFragmentSpreadsRule,
      NoFragmentCyclesRule,
    ],
  ],
  [/\$|\.\.\.|fragment/, [KnownTypeNamesRule]],
  [
    /@/,
    [
      KnownDirectivesRule,
      UniqueDirectivesPerLocationRule,
      DeferStreamDirectiveOnRootFieldRule,
      DeferStreamDirectiveOnValidOperationsRule,
      DeferStreamDirectiveLabelRule,
      StreamDirectiveOnListFieldRule,
    ],
  ],
  [/subscription/, [SingleFieldSubscriptionsRule]],
]

/** Our own rule compares fields that share a key, elsewhere; and our own one knows arrays written as text. */
const asked = specifiedRules
  .filter(rule => rule !== OverlappingFieldsCanBeMergedRule)
  .map(rule => (rule === ValuesOfCorrectTypeRule ? valuesOfCorrectType : rule))

/** In the order of graphql-js, which is the order of errors. A rule that is not listed above always runs. */
export const rulesFor = (text: string): readonly ValidationRule[] => {
  const spared = new Set(signs.flatMap(([sign, rules]) => (sign.test(text) ? [] : rules)))
  return asked.filter(rule => !spared.has(rule))
}
