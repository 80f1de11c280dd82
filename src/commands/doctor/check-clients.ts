// The public URLs: whether the service that runs behind them sees the addresses of people, or those of a proxy that is not declared.
import type { RequestOptions } from 'node:http'
import { readIpAddress } from '../../base/ip-address.ts'
import { DOCTOR_HEADER, doctorToken, SIGHTING_PATH } from '../../http/proxies/doctor-token.ts'
import type { Sighting } from '../../http/proxies/sighting.ts'
import { PATIENCE_MS, type Place, placesOf } from './check-addresses.ts'
import { type Finding, skipped } from './finding.ts'
import { judgeSighting, type OwnEnd } from './judge-sighting.ts'
import type { Check, Subject } from './subject.ts'

interface Answer extends OwnEnd {
  readonly status: number | undefined
  readonly text: string
}

const MOST_TEXT = 65_536

/** Not `fetch`, which does not tell from which port it asked. */
const ask = (url: string, headers: Readonly<Record<string, string>>): Promise<Answer> => {
  const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http')
  const options: RequestOptions = { headers, agent: false, signal: AbortSignal.timeout(PATIENCE_MS) }
  return new Promise((resolve, reject) => {
    const sent = request(url, options, response => {
      const { localAddress = '', localPort = 0 } = response.socket
      const own = { address: readIpAddress(localAddress) ?? localAddress, port: localPort }
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
        if (text.length > MOST_TEXT) response.destroy(new Error('the answer is too long'))
      })
      response.on('end', () => resolve({ ...own, status: response.statusCode, text }))
      response.on('error', reject)
    })
    sent.on('error', reject).end()
  })
}

const isSighting = (value: unknown): value is Sighting =>
  typeof value === 'object' && value !== null && 'client' in value && 'hops' in value && Array.isArray(value.hops)

const readSighting = (text: string): Sighting | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isSighting(value) ? value : undefined
  } catch {
    return undefined
  }
}

const lookAt = async ({ store, clock }: Subject, check: string, { url }: Place): Promise<Finding> => {
  const answer = await ask(url + SIGHTING_PATH, { [DOCTOR_HEADER]: doctorToken(store.secret, clock.now()) })
  const sighting = answer.status === 200 ? readSighting(answer.text) : undefined
  return sighting === undefined
    ? skipped(
        check,
        `The service at ${url} does not say whom it sees: it has another secret or version, or is not Minaret.`,
      )
    : judgeSighting({ check, url }, sighting, answer)
}

export const checkClients: Check = {
  name: 'clients',
  look: async subject => {
    const [base, sandbox] = placesOf(subject.config)
    const look = (check: string, place: Place): Promise<Finding> =>
      lookAt(subject, check, place).catch(() =>
        skipped(check, `${place.url} cannot be reached from here, so nobody can say whom the service sees.`),
      )
    return [await look('clients', base), await look('sandbox-clients', sandbox)]
  },
}
