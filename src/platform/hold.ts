// One process per data folder: the types shared by the ways to ensure it.

interface Holder {
  release(): Promise<void>
  /** What a second start is told about this process. */
  describe(text: string): void
}

export type Hold = { readonly kind: 'held'; readonly holder: Holder } | { readonly kind: 'taken'; readonly by: string }
