// A model → the same, in which some tables are only read and some functions are not called.
import type { Model } from './model.ts'

/** The name under which a function's rights are granted; no table has it. */
export const actionSubject = (name: string): string => `${name}()`

export const withoutWriting = (model: Model, closed: ReadonlySet<string>): Model => ({
  ...model,
  tables: new Map(
    [...model.tables].map(([name, table]) => [name, closed.has(name) ? { ...table, writing: undefined } : table]),
  ),
  actions: new Map([...model.actions].filter(([name]) => !closed.has(actionSubject(name)))),
})
