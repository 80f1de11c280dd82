// Batches single queries: those that arrive while a batch is running go into the next one.

/** A result and the position of its query in the batch, counted from 1 as PostgreSQL does. */
export type Placed<Answer> = Answer & { readonly place: number }

export interface TogetherOptions<Question, Answer> {
  readonly alone: (question: Question) => Promise<Answer | undefined>
  /** Runs a query alone if the batch gave it no result. */
  readonly together: (questions: readonly Question[]) => Promise<readonly Placed<Answer>[]>
  /** How many batches may run at once. With two, one is sent while the other is being answered. */
  readonly atOnce?: number
  /** How many queries a batch may hold. */
  readonly most?: number
}

interface Waiting<Question, Answer> {
  readonly question: Question
  resolve(answer: Answer | undefined | Promise<Answer | undefined>): void
  reject(error: unknown): void
}

export const createTogether = <Question, Answer>(options: TogetherOptions<Question, Answer>) => {
  const { alone, together, atOnce = 2, most = 64 } = options
  const waiting: Waiting<Question, Answer>[] = []
  let underWay = 0

  const answer = async (batch: readonly Waiting<Question, Answer>[]): Promise<void> => {
    const [first] = batch
    if (batch.length === 1 && first !== undefined) return first.resolve(await alone(first.question))
    const answers = new Map<number, Answer>()
    for (const answer of await together(batch.map(({ question }) => question))) answers.set(answer.place, answer)
    for (const [index, { question, resolve }] of batch.entries()) resolve(answers.get(index + 1) ?? alone(question))
  }

  const next = async (): Promise<void> => {
    const batch = waiting.splice(0, most)
    if (batch.length > 0)
      await answer(batch).catch(error => {
        for (const { reject } of batch) reject(error)
      })
    if (waiting.length === 0) underWay -= 1
    else setImmediate(next)
  }

  return (question: Question): Promise<Answer | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (underWay >= atOnce) return
      underWay += 1
      // Include whatever has arrived on the sockets by now.
      setImmediate(next)
    })
}
