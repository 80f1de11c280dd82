// Who opens a subscription → counted as long as it is open, by app and person, by address, and in all.
import { Fault } from '../../base/fault.ts'
import { limitOpen } from './limit-open.ts'
import type { Session } from './sessions.ts'

export interface LiveRules {
  /** Open at a time: for an app and the person it acts for, and for an address. */
  readonly perCredential: number
  readonly perAddress: number
  /** In this process. */
  readonly inAll: number
}

export interface Admission {
  readonly open: number
  /** @returns what to call when it has ended. @throws {Fault} `too-many-subscriptions` */
  admit(session: Session, address: string): () => void
}

const tooManyHere = (): Fault =>
  new Fault({
    code: 'too-many-subscriptions',
    status: 429,
    message: 'This process has as many subscriptions as it can serve. Try again in a few seconds.',
    headers: { 'retry-after': '5' },
  })

export const createAdmission = (rules: LiveRules): Admission => {
  const perCredential = limitOpen(
    rules.perCredential,
    most => `${most} subscriptions are open for this app and person, which is the maximum. End some first.`,
  )
  const perAddress = limitOpen(
    rules.perAddress,
    most => `${most} subscriptions are open from your address, which is the maximum. End some first.`,
  )
  let open = 0

  const count = (key: string | undefined, address: string): void => {
    if (key !== undefined) perCredential.take(key)
    try {
      perAddress.take(address)
    } catch (error) {
      if (key !== undefined) perCredential.release(key)
      throw error
    }
  }

  return {
    get open() {
      return open
    },
    admit: ({ grant: { appId, userId } }, address) => {
      if (open >= rules.inAll) throw tooManyHere()
      const key = appId === undefined ? undefined : `${appId} ${userId ?? ''}`
      count(key, address)
      open += 1
      return () => {
        open -= 1
        if (key !== undefined) perCredential.release(key)
        perAddress.release(address)
      }
    },
  }
}
