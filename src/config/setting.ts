// What a setting is: its name, default and meaning, and the reader that gives its value a type.

export type Read<Value> = { readonly value: Value } | { readonly fault: string }

export interface Setting<Value> {
  readonly name: string
  readonly fallback: Value
  /** The default as the documentation shows it. */
  readonly shown: string
  readonly meaning: string
  /** A secret, or a URL that contains one: can also be in a file, which `NAME_FILE` names. */
  readonly secret?: true
  readonly read: (text: string) => Read<Value>
}

export const setting = <const Value>(declared: Setting<Value>): Setting<Value> => declared

/** Settings by the names that the program uses, alone or in groups. */
export interface SettingGroup {
  readonly [name: string]: Setting<unknown> | SettingGroup
}

export type ValuesOf<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Setting<infer Value> ? Value : ValuesOf<Group[Name]>
}

export const isSetting = (entry: Setting<unknown> | SettingGroup): entry is Setting<unknown> =>
  typeof entry.read === 'function'

export const settingsIn = (group: SettingGroup): Setting<unknown>[] =>
  Object.values(group).flatMap(entry => (isSetting(entry) ? [entry] : settingsIn(entry)))
