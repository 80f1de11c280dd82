// The change feeds over the engine: where they stand now, and what came after a cursor.
import { keepChangeLog } from '../../src/changes/keep-log.ts'
import { rawSql } from '../../src/db/sql.ts'
import { loadFixture } from '../graphql/fixture.ts'
import { everything, type TestEngine, useEngine } from '../graphql/use-engine.ts'
import { settled } from './settled.ts'

export interface Line {
  readonly table_name: string
  readonly id: string | null
  readonly masjid_id: string | null
  readonly is_deleted: boolean
  readonly cursor: string
}

export interface SinceOptions {
  /** More arguments. */
  readonly rest?: string
  readonly prefix?: 'up' | 'pc'
  readonly grant?: typeof everything
}

export interface Feed {
  readonly graphql: () => TestEngine
  run(text: string): Promise<unknown>
  /** The cursor after everything that has been committed. */
  now(): Promise<string>
  /** What the feed shows at this moment. */
  atOnce(cursor: string, options?: SinceOptions): Promise<Line[]>
  /** Everything that has been committed after a cursor. */
  since(cursor: string, options?: SinceOptions): Promise<Line[]>
}

const fields = 'table_name id masjid_id is_deleted cursor'

export const useFeed = (): Feed => {
  const graphql = useEngine(async database => {
    await keepChangeLog(database, 7)
    await loadFixture(database)
  })
  const atOnce: Feed['atOnce'] = async (cursor, { rest = '', prefix = 'up', grant = everything } = {}) => {
    const name = `${prefix}_changes_since`
    const query = `query ($cursor: String!) { ${name}(args: {cursor: $cursor} ${rest}) { ${fields} } }`
    return (await graphql().ask(query, { variables: { cursor }, grant }))[name]
  }
  return {
    graphql,
    run: text => graphql().database.run(rawSql(`set search_path = public, extensions; ${text}`)),
    now: async () => {
      await settled(graphql().database)
      return (await graphql().ask('{ up_changes(limit: 1) { cursor } }')).up_changes[0].cursor
    },
    atOnce,
    since: async (cursor, options) => {
      await settled(graphql().database)
      return atOnce(cursor, options)
    },
  }
}
