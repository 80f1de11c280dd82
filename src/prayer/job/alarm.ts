// A pause that can be cut short. Only one caller sleeps at a time.

export interface Alarm {
  sleep(milliseconds: number): Promise<void>
  /** Ends the pause in progress, if there is one. */
  ring(): void
}

const nobody = (): void => undefined

export const createAlarm = (): Alarm => {
  let ring = nobody
  return {
    sleep: milliseconds =>
      new Promise(resolve => {
        const end = (): void => {
          clearTimeout(timer)
          ring = nobody
          resolve()
        }
        const timer = setTimeout(end, milliseconds).unref()
        ring = end
      }),
    ring: () => ring(),
  }
}
