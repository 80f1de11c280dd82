// PostGraphile on the same tables, set up for speed as its documentation recommends: production mode, Node's own HTTP server.
import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { pgSmartTags } from 'postgraphile/utils'
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter'
import { peerSettings, serveAsPeer } from './peer-program.ts'

export interface PostGraphileSettings {
  readonly connection: { host: string; port: number; user: string; password: string; database: string }
  readonly poolSize: number
  /** The plugin for filters over relationships; only where a scenario needs it. */
  readonly filters: boolean
  /** Settings for row-level security in each transaction; only where a scenario needs them. */
  readonly pgSettings: Readonly<Record<string, string>> | undefined
}

const { connection, poolSize, filters, pgSettings } = peerSettings<PostGraphileSettings>()

interface Procedure {
  readonly pgProc: { readonly provolatile: string | null; readonly prorettype: string }
}

/**
 * A table and an enum may have names that PostGraphile makes the same of: `ua_capabilities` and `ua_capability`. Nor does it know
 * overloaded functions: those that write, which no scenario calls, are told apart by what they return.
 */
const distinctNames = {
  name: 'DistinctNames',
  version: '1.0.0',
  inflection: {
    replace: {
      enumType: (previous: (codec: unknown) => string, _options: unknown, codec: unknown) => `${previous(codec)}Enum`,
      functionResourceName: (previous: (details: Procedure) => string, _options: unknown, details: Procedure) =>
        details.pgProc.provolatile === 'v' ? `${previous(details)}_${details.pgProc.prorettype}` : previous(details),
    },
  },
}

/** Views have no keys, so whose times are whose is said here. */
const timesOfMasjids = pgSmartTags({
  kind: 'class',
  match: ({ relname }) => relname === 'pc_prayer_times',
  tags: { foreignKey: '(masjid_id) references up_masjids (id)|@foreignFieldName prayerTimes' },
})

const preset: GraphileConfig.Preset = {
  plugins: [distinctNames, timesOfMasjids],
  extends: [PostGraphileAmberPreset, ...(filters ? [PostGraphileConnectionFilterPreset] : [])],
  pgServices: [
    makePgService({
      poolConfig: { ...connection, max: poolSize },
      schemas: ['public'],
      ...(pgSettings === undefined ? {} : { pgSettings: () => ({ ...pgSettings }) }),
    }),
  ],
  grafserv: { graphqlPath: '/graphql', graphiql: false, websockets: false, watch: false },
  grafast: { explain: false },
}

const server = createServer()
const serv = postgraphile(preset).createServ(grafserv)
await serv.addTo(server)
await serv.ready()
serveAsPeer(server)
