// What either secret opens → sealed with the new one.
import { type SealedFor, seal, unseal } from '../../base/seal.ts'

/** Undefined if no secret opens it. */
export type SealAgain = (sealed: Buffer, sealedFor: SealedFor) => Buffer | undefined

/** The same bytes are sealed in one way, wherever they stand: they are compared when an account is taken back. */
export const createSealAgain = (): SealAgain => {
  const done = new Map<string, Buffer>()
  return (sealed, sealedFor) => {
    const text = sealed.toString('base64')
    const known = done.get(text)
    if (known !== undefined) return known
    try {
      const again = seal(unseal(sealed, sealedFor), sealedFor)
      done.set(text, again)
      return again
    } catch {
      return undefined
    }
  }
}
