// The mail server: whether it can be reached, encrypts the connection and accepts the password. Nothing is sent.
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '../../config/config.ts'
import { type Finding, fault, ok, skipped, warning } from './finding.ts'

const PATIENCE_MS = 5000

interface Conversation {
  readonly encrypted: boolean
  readonly signedIn: boolean
}

/** One step of the conversation: it succeeds, the server refuses, or the connection breaks. */
const step = (connection: SMTPConnection, begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.once('error', reject)
    connection.once('end', () => reject(new Error('the connection was closed')))
    begin(error => (error === undefined || error === null ? resolve() : reject(error)))
  })

const converse = async (url: URL): Promise<Conversation> => {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const secure = url.protocol === 'smtps:'
  const connection = new Connection({
    host: url.hostname,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  })
  // Errors after the last step have nobody left to tell.
  connection.on('error', () => undefined)
  try {
    await step(connection, done => connection.connect(done))
    const user = decodeURIComponent(url.username)
    const credentials = { user, pass: decodeURIComponent(url.password) }
    if (user !== '') await step(connection, done => connection.login({ credentials }, done))
    return { encrypted: connection.secure, signedIn: user !== '' }
  } finally {
    connection.quit()
    connection.close()
  }
}

const judge = ({ encrypted, signedIn }: Conversation, url: URL, production: boolean): Finding => {
  if (encrypted) return ok('mail', `${url.host} accepts mail over an encrypted connection.`)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (isHere || !production) return ok('mail', `${url.host} accepts mail, without encryption.`)
  const remedy = 'Use smtps:// and the port for it (465), or a mail server that offers STARTTLS.'
  return signedIn
    ? fault('mail', `${url.host} gets the password of SMTP_URL unencrypted.`, remedy)
    : warning('mail', `${url.host} gets mail unencrypted, with links that sign people in.`, remedy)
}

const checkSender = ({ mailFrom, mode }: Config): Finding[] =>
  mode === 'production' && /@localhost>?$/.test(mailFrom)
    ? [
        warning(
          'mail-sender',
          'Mail is sent from an address at localhost, which most servers refuse.',
          'Set MAIL_FROM to an address of your domain.',
        ),
      ]
    : []

export const checkMail = async (config: Config): Promise<Finding[]> => {
  const { smtpUrl, mode } = config
  const production = mode === 'production'
  if (smtpUrl === undefined)
    return [
      production
        ? warning(
            'mail',
            'SMTP_URL is not set: nobody can confirm an address or reset a password.',
            'Set SMTP_URL, such as smtps://user:password@mail.example.org.',
          )
        : skipped('mail', 'Without SMTP_URL, mail is shown at /outbox.'),
    ]
  const url = new URL(smtpUrl)
  try {
    return [judge(await converse(url), url, production), ...checkSender(config)]
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    const remedy =
      code === 'EAUTH'
        ? 'Check user and password in SMTP_URL.'
        : 'Check host, port and protocol in SMTP_URL, and whether a firewall is in between.'
    return [fault('mail', `The mail server ${url.host} cannot be used: ${message.split('\n')[0]}.`, remedy)]
  }
}
