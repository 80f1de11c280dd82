// Text of an environment variable → an address or a host, or what is wrong with it. Names are not looked up here.
import { isIP } from 'node:net'
import parseMailboxes from 'nodemailer/lib/addressparser'
import { splitHosts } from '../base/split-hosts.ts'
import type { Read } from './setting.ts'

/** What would mean something else in a URL, or nothing anywhere. */
const foreign = /[\s/:@?#%*[\]\\]|\.\./

/** A name or an IPv4 address, as the system's resolver takes them: 127.1 is one, 10.0.0.999 is not. */
const isHost = (text: string): boolean => !foreign.test(text) && URL.canParse(`http://${text}/`)

/** Issuers are compared character by character, so a trailing slash would matter; it is removed here. */
export const httpAddress = (value: string): Read<string> => {
  const url = /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || url.hostname.includes('*'))
    return { fault: `is "${value}". Use a URL that begins with http:// or https://, and the name of a host.` }
  if (/[?#]/.test(value) || url.username !== '' || url.password !== '')
    return { fault: `is "${value}". Leave out user, query and fragment.` }
  return { value: value.replace(/\/+$/, '') }
}

export const databaseAddress = (value: string): Read<string> =>
  /^postgres(ql)?:\/\//.test(value) && splitHosts(value).every(one => URL.canParse(one))
    ? { value }
    : { fault: 'cannot be read. Use postgres://user:password@host:5432/database.' }

export const databaseAddresses = (value: string): Read<readonly string[]> => {
  const addresses = value.split(',').map(address => address.trim())
  const faulty = addresses.map(databaseAddress).find(read => 'fault' in read)
  return faulty ?? { value: addresses }
}

/** Where a listener binds. */
export const ownHost = (value: string): Read<string> =>
  isIP(value) !== 0 || isHost(value)
    ? { value }
    : { fault: `is "${value}". Use an address of this machine, such as 127.0.0.1, 0.0.0.0 or ::, without a port.` }

export const mailServer = (value: string): Read<string> =>
  /^smtps?:\/\//.test(value) && URL.canParse(value)
    ? { value }
    : { fault: 'cannot be read. Use smtp://user:password@host:587 or smtps://…:465.' }

const isMailbox = (address: string): boolean => {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  return at > 0 && /^([^\s@<>:"]+|"[^"]+")$/.test(local) && (isHost(domain) || /^\[[\w.:]+\]$/.test(domain))
}

/** As the mail library will read it: without an address in it, mail would have no sender, and be refused one by one. */
export const mailSender = (value: string): Read<string> => {
  const mailboxes = parseMailboxes(value, { flatten: true })
  return mailboxes.length > 0 && mailboxes.every(({ address }) => isMailbox(address))
    ? { value }
    : { fault: `is "${value}". Use an address with or without a name, such as Minaret <no-reply@example.org>.` }
}
