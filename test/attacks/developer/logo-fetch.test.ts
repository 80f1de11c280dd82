// A developer enters a logo address that leads into our network, never ends, or is not an image.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { checkImage } from '../../../src/images/check-image.ts'
import { fetchBytes } from '../../../src/images/fetch-bytes.ts'
import type { ImageReason } from '../../../src/images/refused.ts'
import { type Dial, publicDial, type Resolved } from '../../../src/outbound/guarded-fetch.ts'
import { isPublicAddress } from '../../../src/outbound/public-address.ts'
import { fewPixels, png, pngChunk } from '../../support/png.ts'
import { certificate, openTlsServer, type TlsServer } from '../../support/tls-server.ts'

const LOGO = 'https://logo.test/logo.png'
const loopback: Resolved = { address: '127.0.0.1', family: 4 }

let server: TlsServer
let requests: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => void response.end('bytes')
before(async () => {
  server = await openTlsServer((request, response) => {
    requests.push(`${request.headers.host?.split(':')[0]}${request.url}`)
    answer(request, response)
  })
})
after(() => server.close())

/** Resolves names to the given addresses; may reach loopback only if a test allows it. */
const dialing = (values: Partial<Dial>): Dial => ({
  ...publicDial,
  timeoutMs: 5000,
  connection: { port: server.port, ca: certificate },
  resolve: async () => [loopback],
  ...values,
})
const anywhere = (values: Partial<Dial> = {}): Dial => dialing({ mayReach: () => true, ...values })

const refused = async (address: string, dial: Dial, reason: ImageReason): Promise<void> => {
  await assert.rejects(fetchBytes(address, dial), { reason })
}

describe('where a logo is fetched from', () => {
  test('the test server responds', async () => {
    assert.equal((await fetchBytes(LOGO, anywhere())).toString(), 'bytes')
  })

  test('private addresses are refused, in every spelling', async () => {
    const inside = [
      '127.0.0.1',
      '127.9.9.9',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '100.127.255.255',
      '192.0.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '::127.0.0.1',
      'fe80::1',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001:0:1::1',
      '2001:db8::1',
      '100::1',
      'fec0::1',
    ]
    for (const address of inside) assert.equal(isPublicAddress(address), false, address)
    for (const address of [
      '1.1.1.1',
      '93.184.215.14',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00:1450:4001::1',
    ])
      assert.equal(isPublicAddress(address), true, address)
    requests = []
    for (const address of inside)
      await refused(
        LOGO,
        dialing({ resolve: async () => [{ address, family: address.includes(':') ? 6 : 4 }] }),
        'not_public',
      )
    assert.deepEqual(requests, [])
  })

  test('a name with a public and a private address is refused', async () => {
    const resolve = async () => [{ address: '93.184.215.14', family: 4 }, loopback]
    await refused(LOGO, dialing({ resolve }), 'not_public')
  })

  test('a name that changes its address after the check (rebinding) is resolved once, and the connection is pinned', async () => {
    let asked = 0
    // The first answer is allowed; the second would lead elsewhere.
    const resolve = async (): Promise<Resolved[]> => {
      asked += 1
      return asked === 1 ? [loopback] : [{ address: '127.0.0.2', family: 4 }]
    }
    const bytes = await fetchBytes(LOGO, dialing({ resolve, mayReach: address => address === '127.0.0.1' }))
    assert.equal(bytes.toString(), 'bytes')
    assert.equal(asked, 1)
  })

  test('IP addresses, ports, users and other schemes are refused', async () => {
    requests = []
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '[::1]', '[::ffff:127.0.0.1]'])
      await refused(`https://${host}/logo.png`, anywhere(), 'no_host')
    await refused('https://logo.test:8443/logo.png', anywhere(), 'port')
    for (const address of [
      'http://logo.test/',
      'https://a@logo.test/',
      'file:///etc/passwd',
      'data:image/png;base64,AA==',
      'ftp://logo.test/',
    ])
      await refused(address, anywhere(), 'not_https')
    assert.deepEqual(requests, [])
  })

  test('redirects are not followed', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      requests = []
      answer = (_, response) => void response.writeHead(status, { location: 'https://other.test/inside' }).end()
      await refused(LOGO, anywhere(), 'redirect')
      assert.deepEqual(requests, ['logo.test/logo.png'])
    }
  })

  test('a certificate for another name is refused', async () => {
    await refused('https://stranger.test/logo.png', anywhere(), 'unreachable')
  })

  test('a huge response is refused, with or without a content length', async () => {
    answer = (_, response) => void response.writeHead(200, { 'content-length': 10_000_000 }).write('x')
    await refused(LOGO, anywhere(), 'too_many_bytes')
    answer = (_, response) => {
      for (let piece = 0; piece < 20; piece += 1) response.write(Buffer.alloc(65_536))
    }
    await refused(LOGO, anywhere(), 'too_many_bytes')
  })

  test('a slow response, and a name that does not resolve, time out', async () => {
    answer = (_, response) => void response.writeHead(200).write('x')
    await refused(LOGO, anywhere({ timeoutMs: 300 }), 'too_slow')
    answer = () => undefined
    await refused(LOGO, anywhere({ timeoutMs: 300 }), 'too_slow')
    await refused(LOGO, anywhere({ timeoutMs: 300, resolve: () => new Promise(() => undefined) }), 'too_slow')
  })
})

const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
const jpeg = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.from('Exif\0\0GPS: at home')),
    segment(0xfe, Buffer.from('<script>')),
    segment(0xdb, Buffer.alloc(65)),
    segment(0xc0, Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 17, 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd9]),
    Buffer.from('<html>behind</html>'),
  ])
const riff = (...chunks: (readonly [string, Buffer])[]): Buffer => {
  const body = Buffer.concat(
    chunks.map(([type, data]) => {
      const head = Buffer.alloc(8)
      head.write(type, 'latin1')
      head.writeUInt32LE(data.length, 4)
      return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
    }),
  )
  const head = Buffer.alloc(12)
  head.write('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + body.length, 4)
  return Buffer.concat([head, body])
}
const lossless = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(10)
  data.writeUInt8(0x2f)
  data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1)
  return data
}
const canvas = (flags: number): Buffer => Buffer.from([flags, 0, 0, 0, 1, 0, 0, 1, 0, 0])

describe('what is taken for a logo', () => {
  const rejected = (bytes: Buffer, reason: ImageReason): Promise<void> => assert.rejects(checkImage(bytes), { reason })

  test('PNG, JPEG and WebP are recognised by their content', async () => {
    assert.equal((await checkImage(png(2, 2, fewPixels()))).type, 'image/png')
    assert.equal((await checkImage(jpeg(2, 2))).type, 'image/jpeg')
    assert.equal((await checkImage(riff(['VP8L', lossless(2, 2)]))).type, 'image/webp')
  })

  test('SVG, HTML, GIF and empty files are refused', async () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      '<!doctype html><script>',
      'GIF89a',
      '',
      'RIFF1234WAVE',
    ])
      await rejected(Buffer.from(text, 'latin1'), 'not_an_image')
  })

  test('a file that is an image and something else (polyglot) is stored only as an image', async () => {
    const hidden = [pngChunk('tEXt', Buffer.from('<script>alert(1)</script>')), pngChunk('eXIf', Buffer.from('GPS'))]
    const both = Buffer.concat([png(2, 2, fewPixels(), ...hidden), Buffer.from('<script>PK\x03\x04')])
    assert.deepEqual((await checkImage(both)).content, png(2, 2, fewPixels()))
    const { content } = await checkImage(jpeg(2, 2))
    assert.doesNotMatch(content.toString('latin1'), /Exif|script|html/)
    const webp = await checkImage(
      Buffer.concat([
        riff(['VP8X', canvas(0x3c & ~2)], ['EXIF', Buffer.from('GPS')], ['VP8L', lossless(2, 2)]),
        Buffer.from('<html>'),
      ]),
    )
    assert.deepEqual(webp.content, riff(['VP8X', canvas(0x10)], ['VP8L', lossless(2, 2)]))
  })

  test('decompression bombs and oversized images are refused', async () => {
    await rejected(png(2, 2, Buffer.alloc(50_000_000)), 'broken')
    await rejected(png(30_000, 30_000, Buffer.alloc(1000)), 'too_many_pixels')
    await rejected(jpeg(60_000, 10), 'too_many_pixels')
    await rejected(riff(['VP8X', canvas(0)], ['VP8L', lossless(16_000, 16_000)]), 'too_many_pixels')
    await rejected(riff(['VP8X', canvas(2)], ['ANIM', Buffer.alloc(6)], ['VP8L', lossless(2, 2)]), 'animated')
  })

  test('broken files are refused: truncated, with false lengths or wrong checksums', async () => {
    for (const whole of [png(2, 2, fewPixels()), jpeg(2, 2).subarray(0, -19), riff(['VP8L', lossless(2, 2)])])
      for (let length = 12; length < whole.length - 1; length += 1)
        await assert.rejects(checkImage(whole.subarray(0, length)), { reason: /broken|not_an_image/ }, `${length}`)
    const wrong = png(2, 2, fewPixels())
    wrong.writeUInt8(wrong.readUInt8(20) ^ 1, 20)
    await rejected(wrong, 'broken')
    const endless = png(2, 2, fewPixels())
    endless.writeUInt32BE(0xff_ff_ff_ff, 8)
    await rejected(endless, 'broken')
  })
})
