// What the files of a group have in common: made by the first file that needs it, stopped after the last. Outside of
// groups (`scripts/tests/groups.ts`) every file makes its own.

interface Stoppable {
  stop(): Promise<void>
}

const kept = new Map<string, Promise<Stoppable>>()
let isSharing = false

/** Called between files by the process that runs them. */
export const setSharing = async (sharing: boolean): Promise<void> => {
  isSharing = sharing
  const ending = [...kept.values()]
  kept.clear()
  for (const one of ending) await (await one).stop()
}

/** Equal keys must mean that any file can use what another file made. `release` takes the place of `stop`. */
export const share = async <T extends Stoppable>(
  key: string,
  make: () => Promise<T>,
): Promise<{ readonly value: T; release(): Promise<void> }> => {
  if (!isSharing) {
    const value = await make()
    return { value, release: () => value.stop() }
  }
  const making = (kept.get(key) as Promise<T> | undefined) ?? make()
  kept.set(key, making)
  return { value: await making, release: async () => undefined }
}
