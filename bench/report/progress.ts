// Progress for the person waiting: one changing line on a terminal, plain lines elsewhere.

export interface Progress {
  /** Shows the step in progress, replacing the last one. */
  step(text: string): void
  /** Shows a finished step, which stays on the screen. */
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
