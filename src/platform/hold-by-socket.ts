// Ensures one holder per data folder on Linux, by an abstract Unix socket, which the kernel frees however the process ends.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import type { Hold } from './hold.ts'

const addressOf = (folder: string): string =>
  `\0minaret-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24)}`

const MOST_ASKED = 20

/** It answers at once, unless its machine is busy. */
const ANSWER_MS = 5000

const askHolder = (address: string): Promise<string> =>
  new Promise(resolve => {
    let text = ''
    const socket = connect(address)
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
  })

/** Whether the text is one that our services send; anybody on this machine may listen under such a name. */
const isService = (text: string): boolean => /^a service (?:at https?:\/\/[^\s/]+|with workers)$/.test(text)

/** Descriptions of the services that hold other data folders. */
export const socketHolders = async (folder: string): Promise<readonly string[]> => {
  const own = addressOf(folder)
  const listed = existsSync('/proc/net/unix') ? readFileSync('/proc/net/unix', 'utf8') : ''
  const addresses = new Set([...listed.matchAll(/ @(minaret-[0-9a-f]{24})$/gm)].map(([, name]) => `\0${name}`))
  addresses.delete(own)
  const answers = await Promise.all([...addresses].slice(0, MOST_ASKED).map(askHolder))
  return [...new Set(answers.filter(isService))]
}

const listen = (server: Server, address: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(address, () => resolve(true))
  })

/** Never waits: either this process now holds the folder, or another one does and describes itself. */
export const holdBySocket = async (folder: string, description: string): Promise<Hold> => {
  let text = description
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.end(text)
  })
  if (!(await listen(server, addressOf(folder)))) return { kind: 'taken', by: await askHolder(addressOf(folder)) }
  server.unref()
  return {
    kind: 'held',
    holder: {
      release: () => new Promise(resolve => server.close(() => resolve())),
      describe: description => {
        text = description
      },
    },
  }
}
