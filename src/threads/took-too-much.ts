// A task on a side thread that was ended: it used up the time or the memory that a task may take.

export class TookTooMuch extends Error {
  readonly what: 'time' | 'memory'
  constructor(what: 'time' | 'memory') {
    super(`The task took too much ${what}`)
    this.what = what
  }
}
