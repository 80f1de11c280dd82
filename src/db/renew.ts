// A connection that was refused → whether the file that its URL is from has another user or password by now.
import { readSettingFile } from '../config/setting-file.ts'
import { type Connection, credentialsOf, fromUrl } from './connection.ts'
import { databaseCode } from './database-fault.ts'

/** 28P01 and 28000. A pooler passes on in a protocol violation what the server said. */
export const isRefused = (error: unknown): boolean =>
  databaseCode(error).startsWith('28') ||
  (databaseCode(error) === '08P01' && /password authentication failed/.test((error as Error).message))

/** Of whatever the file says now. A file that is being replaced, or is wrong, says nothing. */
const readCredentials = (variable: string, path: string): ReturnType<typeof credentialsOf> | undefined => {
  const read = readSettingFile(variable, path)
  try {
    return 'text' in read ? credentialsOf(fromUrl(read.text.trim())) : undefined
  } catch {
    return undefined
  }
}

/** From now on new connections have what the file says. @returns whether that is something new. */
const readAgain = ({ renewal }: Pick<Connection, 'renewal'>): boolean => {
  if (renewal === undefined) return false
  const read = readCredentials(renewal.variable, renewal.path)
  const { user, password } = renewal.current
  if (read === undefined || (read.user === user && read.password === password)) return false
  renewal.current = read
  return true
}

/**
 * @param used what the attempt connected with: somebody else may have read the file since
 * @returns whether another attempt has other credentials.
 */
export const renewAfter = (
  error: unknown,
  connection: Pick<Connection, 'renewal'>,
  used = connection.renewal?.current,
): boolean => isRefused(error) && (connection.renewal?.current !== used || readAgain(connection))
