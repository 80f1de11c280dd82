// A mail server as providers run them: TLS from the first byte, a password, and what it is sent goes to a file. Run inside the machine.
import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:tls'

const place = '/etc/letsencrypt/live/id.example.org'
const inbox = `${process.env.MACHINE}/inbox`

const answer = (line: string): string => {
  if (/^ehlo/i.test(line)) return '250-mail.example.org\r\n250 AUTH PLAIN'
  if (/^auth/i.test(line)) return line.endsWith(btoa('\0minaret\0PASSWORD')) ? '235 welcome' : '535 who are you?'
  if (/^data$/i.test(line)) return '354 go on'
  return /^quit$/i.test(line) ? '221 bye' : '250 fine'
}

const server = createServer({ key: readFileSync(`${place}/privkey.pem`), cert: readFileSync(`${place}/fullchain.pem`) })
server.on('secureConnection', socket => {
  let buffer = ''
  let isMessage = false
  socket.on('error', () => undefined)
  socket.write('220 mail.example.org\r\n')
  socket.on('data', chunk => {
    buffer += chunk
    const lines = buffer.split('\r\n')
    buffer = lines.pop() ?? ''
    for (const line of lines) {
      const isOver = isMessage && line === '.'
      if (isMessage && !isOver) {
        appendFileSync(inbox, `${line}\n`)
        continue
      }
      socket.write(`${isOver ? '250 kept' : answer(line)}\r\n`)
      isMessage = !isOver && /^data$/i.test(line)
    }
  })
})
server.listen(465, '127.0.0.1')
