// Keys → their accounts. Those not used for longest are forgotten, so that strangers cannot fill the memory.
import { LRUCache } from 'lru-cache'
import { type Account, newAccount } from './account.ts'

const MOST_KEYS = 10_000

/** The account of a key; a new one for a key that is not known, or no longer. */
export const createAccounts = (): ((who: string) => Account) => {
  const accounts = new LRUCache<string, Account>({ max: MOST_KEYS })
  return who => {
    const known = accounts.get(who)
    if (known !== undefined) return known
    const account = newAccount(performance.now())
    accounts.set(who, account)
    return account
  }
}
