// Messages of the extended query protocol → bytes, collected until they are taken.
// https://www.postgresql.org/docs/current/protocol-message-formats.html

const FIRST_SIZE = 4096
const LENGTH_BYTES = 4
const NULL_LENGTH = -1

export interface Outgoing {
  /** Closes the name, in use or not, and prepares the statement under it. */
  parse(name: string, text: string): void
  close(name: string): void
  /** Parameters and results are text. */
  bind(name: string, values: readonly (string | null)[]): void
  execute(): void
  sync(): void
  /** Everything collected since the last call. */
  take(): Buffer
}

export const createOutgoing = (): Outgoing => {
  let bytes = Buffer.allocUnsafe(FIRST_SIZE)
  let end = 0

  const reserve = (size: number): void => {
    if (end + size <= bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + size))
    bytes.copy(larger, 0, 0, end)
    bytes = larger
  }
  const addByte = (value: number): void => {
    bytes[end] = value
    end += 1
  }
  const addInt16 = (value: number): void => {
    end = bytes.writeUInt16BE(value, end)
  }
  const addInt32 = (value: number): void => {
    end = bytes.writeInt32BE(value, end)
  }
  const addText = (text: string): void => {
    end += bytes.write(text, end)
  }
  const addCString = (text: string): void => {
    addText(text)
    addByte(0)
  }

  /** A UTF-16 code unit takes at most three bytes in UTF-8. */
  const start = (type: string, mostText: number, rest: number): number => {
    reserve(mostText * 3 + rest + 16)
    addByte(type.charCodeAt(0))
    end += LENGTH_BYTES
    return end - LENGTH_BYTES
  }
  const finish = (lengthAt: number): void => void bytes.writeInt32BE(end - lengthAt, lengthAt)

  const close = (name: string): void => {
    const message = start('C', name.length, 0)
    addByte('S'.charCodeAt(0))
    addCString(name)
    finish(message)
  }

  const addValue = (value: string | null): void => {
    const lengthAt = end
    addInt32(NULL_LENGTH)
    if (value === null) return
    addText(value)
    bytes.writeInt32BE(end - lengthAt - LENGTH_BYTES, lengthAt)
  }

  return {
    close,
    parse: (name, text) => {
      if (name !== '') close(name)
      const message = start('P', name.length + text.length, 0)
      addCString(name)
      addCString(text)
      addInt16(0)
      finish(message)
    },
    bind: (name, values) => {
      let letters = name.length
      for (const value of values) letters += value?.length ?? 0
      const message = start('B', letters, values.length * LENGTH_BYTES)
      addByte(0)
      addCString(name)
      addInt16(0)
      addInt16(values.length)
      for (const value of values) addValue(value)
      addInt16(0)
      finish(message)
    },
    execute: () => {
      const message = start('E', 0, LENGTH_BYTES)
      addByte(0)
      addInt32(0)
      finish(message)
    },
    sync: () => finish(start('S', 0, 0)),
    take: () => {
      const taken = bytes.subarray(0, end)
      // What was taken may still be in flight, so it is not overwritten.
      bytes = Buffer.allocUnsafe(FIRST_SIZE)
      end = 0
      return taken
    },
  }
}
