// One watch of the change log → as many as are asked for. It runs while any of them does.
import type { ChangeListener, ChangeWatch } from './watch-changes.ts'

export const shareWatch = (watch: ChangeWatch): (() => ChangeWatch) => {
  const listeners = new Set<ChangeListener>()
  const everyone: ChangeListener = {
    onChanges: changed => {
      for (const listener of listeners) listener.onChanges(changed)
    },
    onStructure: () => {
      for (const listener of listeners) listener.onStructure()
    },
    onGap: () => {
      for (const listener of listeners) listener.onGap()
    },
  }

  return () => {
    let own: ChangeListener | undefined
    const leave = (): void => {
      if (own !== undefined) listeners.delete(own)
      own = undefined
    }
    const stop = (): void => {
      leave()
      if (listeners.size === 0) watch.stop()
    }
    return {
      start: listener => {
        leave()
        own = listener
        listeners.add(listener)
        return watch.start(everyone)
      },
      stop,
      get position() {
        return watch.position
      },
      close: async () => stop(),
    }
  }
}
