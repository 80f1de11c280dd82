// Waiting statements, with one queue per key; the key that used the least comes first.
import { type Account, fade } from './account.ts'

export interface FairQueue<Item extends { readonly account: Account }> {
  readonly length: number
  /** How many statements of one key are waiting. */
  lengthOf(account: Account): number
  push(item: Item): void
  /** Puts it ahead of the others of its key. */
  pushFirst(item: Item): void
  /** @returns whether it was waiting. */
  remove(item: Item): boolean
  /** The first statement of the key that used the least, among keys whose first may run. Does not remove it. */
  first(now: number, mayGo: (item: Item) => boolean): Item | undefined
}

export const createFairQueue = <Item extends { readonly account: Account }>(): FairQueue<Item> => {
  const lines = new Map<Account, Item[]>()
  let length = 0

  const lineOf = (account: Account): Item[] => {
    const known = lines.get(account)
    if (known !== undefined) return known
    const line: Item[] = []
    lines.set(account, line)
    return line
  }

  return {
    get length() {
      return length
    },
    lengthOf: account => lines.get(account)?.length ?? 0,
    push: item => {
      lineOf(item.account).push(item)
      length += 1
    },
    pushFirst: item => {
      lineOf(item.account).unshift(item)
      length += 1
    },
    remove: item => {
      const line = lines.get(item.account)
      const at = line?.indexOf(item) ?? -1
      if (line === undefined || at === -1) return false
      line.splice(at, 1)
      length -= 1
      if (line.length === 0) lines.delete(item.account)
      return true
    },
    first: (now, mayGo) => {
      let best: Item | undefined
      let least = Number.POSITIVE_INFINITY
      for (const [account, [item]] of lines) {
        fade(account, now)
        if (item === undefined || account.usedMs >= least || !mayGo(item)) continue
        best = item
        least = account.usedMs
      }
      return best
    },
  }
}
