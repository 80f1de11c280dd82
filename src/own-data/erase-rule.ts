// `@erase …` in a comment → what becomes of a person's rows or values when the account is erased.

const actions = ['delete', 'anonymise', 'retain', 'none'] as const

/** `none`: it only looks personal. */
type EraseAction = (typeof actions)[number]

export interface EraseRule {
  readonly action: EraseAction
  readonly reason: string | undefined
}

const grammar = /^([a-z]+)(?::\s*(\S.*))?$/

const needsReason: readonly EraseAction[] = ['retain', 'none']

/** Undefined if it cannot be read: an unknown action, or one that needs a reason without any. */
export const readEraseRule = (text: string): EraseRule | undefined => {
  const [, word, reason] = grammar.exec(text.trim()) ?? []
  const action = actions.find(one => one === word)
  if (action === undefined || (needsReason.includes(action) && reason === undefined)) return undefined
  return { action, reason }
}

const subjects = ['account', 'member', 'email', 'household', 'session'] as const

/** By what a column names the person: an account, a member, an address … */
export type SubjectKind = (typeof subjects)[number]

export const readSubjects = (words: readonly string[]): SubjectKind[] => subjects.filter(kind => words.includes(kind))
