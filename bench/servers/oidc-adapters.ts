// oidc-provider's storage: in memory without bounds (its own example evicts after 1,000), or in PostgreSQL as in its examples.
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type pg from 'pg'

export type AdapterFactory = (model: string) => Adapter

export const memoryAdapters = (): AdapterFactory => {
  const store = new Map<string, AdapterPayload>()
  const grants = new Map<string, Set<string>>()
  return model => {
    const key = (id: string): string => `${model}:${id}`
    const findBy = (test: (payload: AdapterPayload) => boolean) => [...store.values()].find(test)
    return {
      upsert: async (id, payload) => {
        store.set(key(id), payload)
        if (payload.grantId === undefined) return
        const members = grants.get(payload.grantId) ?? new Set()
        grants.set(payload.grantId, members.add(key(id)))
      },
      find: async id => store.get(key(id)),
      findByUid: async uid => findBy(payload => payload.uid === uid),
      findByUserCode: async userCode => findBy(payload => payload.userCode === userCode),
      consume: async id => {
        const payload = store.get(key(id))
        if (payload !== undefined) store.set(key(id), { ...payload, consumed: Math.floor(Date.now() / 1000) })
      },
      destroy: async id => void store.delete(key(id)),
      revokeByGrantId: async grantId => {
        for (const member of grants.get(grantId) ?? []) store.delete(member)
        grants.delete(grantId)
      },
    }
  }
}

export const OIDC_TABLE = `
create schema if not exists bench;
create table if not exists bench.oidc (
  model text, id text, payload jsonb not null, grant_id text, uid text, user_code text, expires_at timestamptz,
  consumed_at timestamptz, primary key (model, id));
create index if not exists oidc_grant_id on bench.oidc (grant_id) where grant_id is not null;
create index if not exists oidc_uid on bench.oidc (uid) where uid is not null;
create index if not exists oidc_user_code on bench.oidc (user_code) where user_code is not null`

interface Row {
  readonly payload: AdapterPayload
  readonly consumed_at: Date | null
}

const toPayload = (row: Row | undefined): AdapterPayload | undefined =>
  row === undefined ? undefined : row.consumed_at === null ? row.payload : { ...row.payload, consumed: true }

const UPSERT = `
insert into bench.oidc (model, id, payload, grant_id, uid, user_code, expires_at)
values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
on conflict (model, id) do update set payload = excluded.payload, expires_at = excluded.expires_at`

/** One prepared statement per method, on a pool. */
export const postgresqlAdapters = (pool: pg.Pool): AdapterFactory => {
  const run = (name: string, text: string, values: unknown[]) => pool.query<Row>({ name, text, values })
  const findBy = async (column: string, model: string, value: string) => {
    const text = `select payload, consumed_at from bench.oidc where model = $1 and ${column} = $2 and expires_at > now()`
    return toPayload((await run(`find_${column}`, text, [model, value])).rows[0])
  }
  return model => ({
    upsert: async (id, payload, expiresIn) => {
      const { grantId, uid, userCode } = payload
      await run('upsert', UPSERT, [model, id, payload, grantId, uid, userCode, expiresIn])
    },
    find: id => findBy('id', model, id),
    findByUid: uid => findBy('uid', model, uid),
    findByUserCode: userCode => findBy('user_code', model, userCode),
    consume: async id =>
      void (await run('consume', 'update bench.oidc set consumed_at = now() where model = $1 and id = $2', [
        model,
        id,
      ])),
    destroy: async id =>
      void (await run('destroy', 'delete from bench.oidc where model = $1 and id = $2', [model, id])),
    revokeByGrantId: async grantId =>
      void (await run('revoke', 'delete from bench.oidc where model = $1 and grant_id = $2', [model, grantId])),
  })
}
