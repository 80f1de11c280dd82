// What calculates the rows of a function that the database only declares (`@calculated`).

export interface Calculation<Question = unknown> {
  /** Pure, as a request may be prepared several times. @throws {Fault} `bad_request` that names the argument */
  read(given: Readonly<Record<string, unknown>>): Question
  /** As many rows as could be read instead. */
  costOf(question: Question): number
  /**
   * @param who takes turns with others, should there be any
   * @param columns others are not read
   * @returns a list of objects in JSON, by the names of columns
   */
  writeRows(who: string, question: Question, columns: ReadonlySet<string>): Promise<string>
}

/** By the function's name in the database. */
// biome-ignore lint/suspicious/noExplicitAny: each has a question of its own, which only it reads
export type Calculations = ReadonlyMap<string, Calculation<any>>

/** Rows that a statement is given as one of its parameters. */
export interface CalculatedRows {
  /** The place of the parameter. */
  readonly slot: number
  readonly cost: number
  readonly write: (who: string) => Promise<string>
}
