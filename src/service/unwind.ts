// Closes resources in the reverse order of opening, so that nothing loses a dependency it still uses.

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
