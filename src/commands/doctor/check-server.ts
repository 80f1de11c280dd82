// The database server: version, encoding, encrypted connection, extensions.
import { fault, ok, warning } from './finding.ts'
import type { Check } from './subject.ts'

interface Server {
  readonly version: string
  readonly major: number
  readonly encoding: string
  readonly encrypted: boolean
  readonly local: boolean
}

/** PostgreSQL's own contrib modules, which the first migration creates. */
const NEEDED = ['pg_trgm', 'unaccent', 'btree_gist', 'cube']

const NEWEST_TESTED = 18

export const checkServer: Check = {
  name: 'server',
  look: async ({ client, config }) => {
    const { rows } = await client.query<Server>(`
      select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
        current_setting('server_encoding') as encoding,
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
        coalesce(inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1', true) as local`)
    const { version, major, encoding, encrypted, local } = rows[0] as Server
    return [
      // One that is too old is refused before it comes to this.
      major <= NEWEST_TESTED
        ? ok('version', `PostgreSQL ${version}.`)
        : warning(
            'version',
            `PostgreSQL ${version} is newer than any that this version was tested on (15 to ${NEWEST_TESTED}).`,
            'Look for a newer version of Minaret.',
          ),
      encoding === 'UTF8'
        ? ok('encoding', 'UTF8.')
        : fault(
            'encoding',
            `The database is encoded in ${encoding}, which cannot hold Arabic and English alike.`,
            "Create the database again with: create database minaret encoding 'UTF8' template template0.",
          ),
      encrypted || local || config.mode !== 'production'
        ? ok('encryption', encrypted ? 'The connection is encrypted.' : 'The connection stays on this machine.')
        : warning(
            'encryption',
            'The connection to the database leaves this machine unencrypted.',
            'Add ?sslmode=verify-full to DATABASE_URL, unless the network in between is yours alone.',
          ),
    ]
  },
}

interface Extension {
  readonly name: string
  readonly installed: boolean
}

export const checkExtensions: Check = {
  name: 'extensions',
  look: async ({ client }) => {
    const { rows } = await client.query<Extension>(
      'select name, installed_version is not null as installed from pg_available_extensions where name = any ($1)',
      [NEEDED],
    )
    const missing = NEEDED.filter(name => !rows.some(row => row.name === name))
    if (missing.length > 0)
      return [
        fault(
          'extensions',
          `The server does not have ${missing.join(', ')}.`,
          "Install PostgreSQL's contrib modules on the server (Debian: postgresql-contrib), or allow these extensions at your provider.",
        ),
      ]
    const installed = rows.filter(row => row.installed).length
    return [
      ok(
        'extensions',
        installed === NEEDED.length ? `${NEEDED.join(', ')} are installed.` : `${NEEDED.join(', ')} are available.`,
      ),
    ]
  },
}
