import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/support/holds.ts'
import { createIncoming, MOST_BYTES } from './incoming.ts'

const message = (type: string, body: Buffer): Buffer => {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.write(type, 0, 'latin1')
  bytes.writeInt32BE(4 + body.length, 1)
  body.copy(bytes, 5)
  return bytes
}

const row = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(6)
  head.writeInt16BE(1, 0)
  head.writeInt32BE(bytes.length, 2)
  return message('D', Buffer.concat([head, bytes]))
}

const failure = (text: string): Buffer => message('E', Buffer.from(`SERROR\0C22012\0M${text}\0\0`))

type Sent = { kind: 'row' | 'failed'; text: string } | { kind: 'ready' | 'parsed' | 'unknown' }

const bytesOf = (sent: Sent): Buffer => {
  if (sent.kind === 'row') return row(sent.text)
  if (sent.kind === 'failed') return failure(sent.text)
  return message({ ready: 'Z', parsed: '1', unknown: 'S' }[sent.kind], Buffer.from(sent.kind === 'parsed' ? '' : 'I'))
}

const told = (pieces: readonly Buffer[]): Sent[] => {
  const events: Sent[] = []
  const take = createIncoming({
    parsed: () => events.push({ kind: 'parsed' }),
    row: text => events.push({ kind: 'row', text }),
    failed: error => events.push({ kind: 'failed', text: error.message }),
    ready: () => events.push({ kind: 'ready' }),
  })
  // The same buffer each time, as from a socket that reuses it.
  const memory = Buffer.alloc(Math.max(1, ...pieces.map(({ length }) => length)))
  for (const piece of pieces) {
    piece.copy(memory)
    take(memory.subarray(0, piece.length))
    memory.fill(0xff)
  }
  return events
}

const cut = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const pieces: Buffer[] = []
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

const letters = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }).map(text => text.replaceAll('\0', '')),
  fc.integer({ min: 0, max: 200_000 }).map(length => 'x'.repeat(length)),
)

const sent: fc.Arbitrary<Sent> = fc.oneof(
  letters.map(text => ({ kind: 'row' as const, text })),
  fc.constantFrom('division by zero', 'مسجد').map(text => ({ kind: 'failed' as const, text })),
  fc.constantFrom('ready' as const, 'parsed' as const, 'unknown' as const).map(kind => ({ kind })),
)

test('messages are delivered in order, wherever the network splits them', async () => {
  await holds(
    fc.property(
      fc.array(sent, { maxLength: 12 }),
      fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 70_000 })), {
        minLength: 1,
        maxLength: 5,
      }),
      (messages, sizes) => {
        const bytes = Buffer.concat(messages.map(bytesOf))
        assert.deepEqual(
          told(cut(bytes, sizes.some(size => size > 100) ? sizes : [...sizes, 4096])),
          messages.filter(({ kind }) => kind !== 'unknown'),
        )
      },
    ),
    { runs: 150 },
  )
})

test('one byte at a time', () => {
  const messages: Sent[] = [{ kind: 'parsed' }, { kind: 'row', text: '{"a":"é"}' }, { kind: 'ready' }]
  assert.deepEqual(told(cut(Buffer.concat(messages.map(bytesOf)), [1])), messages)
})

test('a result that is too long is refused without buffering it, and what follows is delivered', () => {
  const after: Sent[] = [{ kind: 'ready' }, { kind: 'row', text: 'short' }, { kind: 'ready' }]
  const length = MOST_BYTES + 100
  const long = row('x'.repeat(length))
  const before: Sent = { kind: 'row', text: 'y'.repeat(70_000) }
  for (const sizes of [[65_536], [7, 65_536], [1_000_003], [long.length + 70_020]]) {
    const bytes = Buffer.concat([bytesOf(before), long, ...after.map(bytesOf)])
    assert.deepEqual(told(cut(bytes, sizes)), [
      before,
      { kind: 'failed', text: `The result has ${long.length} bytes.` },
      ...after,
    ])
  }
})
