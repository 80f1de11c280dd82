// An address that somebody enters, to be asked for later → whether it is one that would be: the rules of fetching, when it is saved.
import { FetchRefused } from './fetch-refused.ts'
import { checkPostAddress } from './guarded-post.ts'
import { checkAddress, chooseAddress, type Dial, inTime, publicDial } from './way.ts'

const isRefusal = (error: unknown): error is FetchRefused => error instanceof FetchRefused

/** As far as the text tells: for pictures, which are fetched soon, and whose owners are told what became of it. */
export const isFetchable = (text: string): boolean => {
  try {
    return checkAddress(text) instanceof URL
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

export interface Asking {
  /** Undefined: the public internet only. */
  readonly dial?: Dial | undefined
  /** Whether it may be on this machine: in development. */
  readonly loopback?: boolean
}

/** Somebody waits for the answer; a name server that takes longer is asked again when the address is used. */
const RESOLVE_MS = 2000

/** A name without an address yet may have one by then. */
const mayPass = (error: unknown): boolean => !isRefusal(error) || error.mayPass

/** Also asks where the name leads: nothing of ours may be saved as somebody's server. */
export const mayBeReached = async (text: string, { dial = publicDial, loopback = false }: Asking): Promise<boolean> => {
  try {
    const url = checkPostAddress(text, loopback)
    if (url.protocol === 'https:') await inTime(chooseAddress(url, dial), AbortSignal.timeout(RESOLVE_MS))
    return true
  } catch (error) {
    return mayPass(error)
  }
}
