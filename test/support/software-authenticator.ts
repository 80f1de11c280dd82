// An authenticator in software, which also does what a real one never would: another origin, an old counter, nobody verified.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { decodeHtml, hiddenFieldsOf, type Person, type Shown } from './person.ts'

interface Options {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

export interface Mischief {
  readonly origin?: string
  readonly challenge?: string
  readonly counter?: number
  readonly unverified?: boolean
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')
const uint = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/** As much of CBOR as an attestation needs: text, bytes, small maps. */
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** COSE: an EC2 key on P-256 for ES256. */
const coseKey = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [left, right] = [x, y].map(part => cborBytes(Buffer.from(part, 'base64url'))) as [Buffer, Buffer]
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    left,
    Buffer.from([0x22]),
    right,
  ])
}

/** The options in the form with this action, as our script reads them. */
export const optionsOn = ({ text }: Shown, action: string): Options => {
  const forms = text.match(/<form[\s\S]*?>/g) ?? []
  const form = forms.find(tag => tag.includes(`action="${action}"`) && tag.includes('data-options'))
  return JSON.parse(decodeHtml(/data-options="([^"]*)"/.exec(form ?? '')?.[1] ?? 'null'))
}

export const createAuthenticator = (origin: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let signed = 0
  const clientData = (type: string, options: Options, mischief: Mischief): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: mischief.challenge ?? options.challenge,
        origin: mischief.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const head = (rpId: string, flags: number, { unverified, counter }: Mischief): Buffer => {
    signed += 1
    return Buffer.concat([
      sha256(rpId),
      Buffer.from([flags | 0x01 | (unverified ? 0 : 0x04)]),
      uint(counter ?? signed, 4),
    ])
  }
  const shared = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} }
  return {
    create: (options: Options, mischief: Mischief = {}): string => {
      const credential = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, coseKey(publicKey)])
      const data = Buffer.concat([head(options.rp?.id ?? '', 0x40, mischief), credential])
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0]), cborText('authData')],
        cborBytes(data),
      ])
      const client = clientData('webauthn.create', options, mischief)
      const response = {
        clientDataJSON: base64url(client),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      }
      return JSON.stringify({ ...shared, response })
    },
    get: (options: Options, mischief: Mischief = {}): string => {
      const data = head(options.rpId ?? '', 0, mischief)
      const client = clientData('webauthn.get', options, mischief)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      }
      return JSON.stringify({ ...shared, response })
    },
  }
}

export type SoftwareAuthenticator = ReturnType<typeof createAuthenticator>

const NEW = '/account/security/passkeys/new'

/** The person has just signed in. */
export const addPasskey = async (
  person: Person,
  authenticator: SoftwareAuthenticator,
  mischief: Mischief = {},
): Promise<Shown> => {
  const page = await person.get(NEW)
  const response = authenticator.create(optionsOn(page, NEW), mischief)
  return person.post(NEW, { ...hiddenFieldsOf(page.text, NEW), name: 'Phone', response })
}

export const signInWithPasskey = async (
  person: Person,
  authenticator: SoftwareAuthenticator,
  mischief: Mischief = {},
): Promise<Shown> => {
  const page = await person.get('/sign-in')
  const response = authenticator.get(optionsOn(page, '/sign-in/passkey'), mischief)
  return person.post('/sign-in/passkey', { ...hiddenFieldsOf(page.text, '/sign-in/passkey'), response })
}
