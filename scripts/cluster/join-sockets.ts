// Two sockets → one connection: what one sends the other gets, and how one ends the other ends.
import type { Socket } from 'node:net'

export const joinSockets = (one: Socket, other: Socket): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.setNoDelay?.(true)
    from.pipe(to)
    from.on('error', () => to.destroy()).on('close', () => to.destroySoon())
  }
}
