// What was opened → closed again in reverse, so that nothing is taken away from what still uses it.

export interface Unwind {
  add(undo: () => unknown): void
  run(): Promise<void>
}

export const createUnwind = (): Unwind => {
  const undos: (() => unknown)[] = []
  return {
    add: undo => void undos.push(undo),
    run: async () => {
      for (const undo of undos.splice(0).reverse()) await Promise.resolve(undo()).catch(() => undefined)
    },
  }
}
