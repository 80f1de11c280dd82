// Why an image cannot be shown, in words for its owner.

export class ImageRefused extends Error {
  /** Whether another try may succeed. */
  readonly mayPass: boolean
  constructor(reason: string, { mayPass = false }: { readonly mayPass?: boolean } = {}) {
    super(reason)
    this.mayPass = mayPass
  }
}
