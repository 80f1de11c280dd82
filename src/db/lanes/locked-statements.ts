// Statements that met a locked table → wait outside the lanes, so that they hold up nobody else. One of each kind tries
// again now and then; when it gets through, the others follow.

export interface LockedStatements<R> {
  /** Whether statements of this name wait for a lock at the moment. */
  has(name: string): boolean
  readonly length: number
  /** A new one waits with the others. */
  add(name: string, reading: R): void
  /** It met a lock, perhaps again. Undefined: it is no longer wanted, but others may wait for the same. */
  meet(name: string, reading: R | undefined): void
  /** It met no lock: all that wait for the same go on. */
  pass(name: string): void
  /** @returns whether it was waiting. */
  remove(name: string, reading: R): boolean
  close(): void
}

interface Line<R> {
  readonly waiting: Set<R>
  pauseMs: number
  timer: NodeJS.Timeout | undefined
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 400

export const createLockedStatements = <R>(tryAgain: (reading: R) => void): LockedStatements<R> => {
  const lines = new Map<string, Line<R>>()
  let length = 0

  const take = (line: Line<R>, reading: R): boolean => {
    const wasThere = line.waiting.delete(reading)
    if (wasThere) length -= 1
    return wasThere
  }

  const probe = (name: string, line: Line<R>): void => {
    line.timer = undefined
    const [first] = line.waiting
    if (first === undefined) return void lines.delete(name)
    take(line, first)
    tryAgain(first)
  }

  const lineOf = (name: string): Line<R> => {
    const line = lines.get(name) ?? { waiting: new Set<R>(), pauseMs: FIRST_PAUSE_MS, timer: undefined }
    lines.set(name, line)
    return line
  }

  const add = (name: string, reading: R): void => {
    lineOf(name).waiting.add(reading)
    length += 1
  }

  return {
    has: name => lines.has(name),
    get length() {
      return length
    },
    add,
    meet: (name, reading) => {
      if (reading !== undefined) add(name, reading)
      const line = lineOf(name)
      if (line.timer !== undefined) return
      line.timer = setTimeout(probe, line.pauseMs, name, line).unref()
      line.pauseMs = Math.min(line.pauseMs * 2, LONGEST_PAUSE_MS)
    },
    pass: name => {
      const line = lines.get(name)
      if (line === undefined) return
      clearTimeout(line.timer)
      lines.delete(name)
      length -= line.waiting.size
      for (const reading of line.waiting) tryAgain(reading)
    },
    remove: (name, reading) => {
      const line = lines.get(name)
      return line !== undefined && take(line, reading)
    },
    close: () => {
      for (const { timer } of lines.values()) clearTimeout(timer)
    },
  }
}
