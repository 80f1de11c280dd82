// What is being done now, for the person who waits: one changing line on a terminal, plain lines elsewhere.

export interface Progress {
  /** Something under way; the next word replaces it. */
  step(text: string): void
  /** Something finished, to be kept on the screen. */
  done(text: string): void
}

export const startProgress = (stream: NodeJS.WriteStream = process.stderr): Progress => {
  const startedAt = Date.now()
  const clock = (): string => `${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s`
  const clear = stream.isTTY ? '\r\x1b[2K' : ''
  return {
    step: text => {
      if (stream.isTTY)
        stream.write(`${clear}${clock()}  ${text} …`.slice(0, (stream.columns ?? 120) + clear.length - 1))
    },
    done: text => void stream.write(`${clear}${clock()}  ${text}\n`),
  }
}
