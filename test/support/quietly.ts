// oidc-provider warns about development use, which does not concern tests.

export const quietly = async <T>(work: () => Promise<T>): Promise<T> => {
  const { warn, info } = console
  Object.assign(console, { warn: () => undefined, info: () => undefined })
  try {
    return await work()
  } finally {
    Object.assign(console, { warn, info })
  }
}
