// What has to be handed over or deleted before an account can be erased: apps of which the person is the only owner, and masjids
// that nobody else manages.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export interface Blockers {
  readonly apps: readonly { readonly id: string; readonly name: string }[]
  readonly masjids: readonly { readonly slug: string; readonly name: string }[]
}

const ownApps = (queryable: Queryable, userId: string) =>
  queryable.query<{ id: string; name: string }>(sql`
    select id, name from minaret.apps
    where minaret.is_app_owner(id, ${userId}) and deleted_at is null and not exists (
      select from minaret.app_members other join minaret.users account on account.id = other.user_id
      where other.app_id = apps.id and other.role = 'owner' and other.user_id <> ${userId} and account.disabled_at is null)
    order by name, id limit 100`)

/** Masjids with other active members, none of whom could take over by themselves. Of an empty masjid nobody is left behind. */
const lonelyMasjids = (queryable: Queryable, userId: string) =>
  queryable.query<{ slug: string; name: string }>(sql`
    with managers as (
      select member.masjid_id, member.user_id from public.ua_members member
      join minaret.users account on account.id = member.user_id and account.disabled_at is null
      where member.status = 'active' and member.deleted_at is null
        and ('capabilities' = any (public.role_capabilities(member.role)) or exists (
          select from public.ua_capabilities held where held.masjid_id = member.masjid_id and held.user_id = member.user_id
            and held.capability = 'capabilities' and held.withdrawn_at is null)))
    select masjid.slug, masjid.name from public.up_masjids masjid
    where masjid.deleted_at is null
      and exists (select from managers where masjid_id = masjid.id and user_id = ${userId})
      and not exists (select from managers where masjid_id = masjid.id and user_id <> ${userId})
      and exists (select from public.ua_members other where other.masjid_id = masjid.id and other.status = 'active'
        and other.deleted_at is null and other.user_id is not null and other.user_id <> ${userId})
    order by masjid.name, masjid.id limit 100`)

export const findBlockers = async (queryable: Queryable, userId: string): Promise<Blockers> => ({
  apps: await ownApps(queryable, userId),
  masjids: await lonelyMasjids(queryable, userId),
})

export const isBlocked = ({ apps, masjids }: Blockers): boolean => apps.length + masjids.length > 0
