// A person and a token's grant → the account and the claims the person agreed to share. Concurrent lookups share one
// statement.
import { type Claim, claimsFor, isPlain, withinClaims } from '../access/claims.ts'
import type { Scope } from '../access/scopes.ts'
import { toUser, type User, type UserRow, userColumns } from '../accounts/users.ts'
import { type BatchStatement, createBatched } from '../db/batched.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

interface SubjectQuestion {
  readonly userId: string
  readonly grantId: string
}

export interface Subject {
  readonly user: User
  /** The claims the person agreed to share, and with which scopes. */
  readonly claims: readonly Claim[]
  readonly agreedScopes: readonly Scope[]
  /** The claims a reviewer lets the app see without `openid`. */
  readonly plainClaims: readonly Claim[]
}

/** The current state in the database; undefined if the grant is not this person's. */
export type FindSubject = (question: SubjectQuestion) => Promise<Subject | undefined>

type SubjectRow = UserRow & Omit<Subject, 'user'>

const findSubjects: BatchStatement<SubjectQuestion> = asked => sql`
  select asked.place::int, ${userColumns}, grants.claims, grants.scopes as "agreedScopes",
    apps.plain_claims as "plainClaims"
  from unnest(${asked.map(one => one.userId)}::uuid[], ${asked.map(one => one.grantId)}::uuid[])
      with ordinality as asked (user_id, grant_id, place)
    join minaret.users on users.id = asked.user_id
    join minaret.grants on grants.id = asked.grant_id and grants.user_id = asked.user_id
    join minaret.apps on apps.id = grants.app_id`

export const createFindSubject = (database: Queryable): FindSubject => {
  const find = createBatched<SubjectQuestion, SubjectRow>({ database, name: 'oauth_subjects', statement: findSubjects })
  return async question => {
    const row = await find(question)
    return row && { ...row, user: toUser(row) }
  }
}

/**
 * What was agreed to, minus what the token's scopes, the app's scopes and its reviewer no longer allow. Whether the
 * request had `openid` is read from the consent, so that dropping a scope later can never add a claim.
 */
export const claimsShown = (subject: Subject, scopes: ReadonlySet<Scope>): Claim[] => {
  const { claims, agreedScopes, plainClaims } = subject
  return withinClaims(claims, claimsFor({ scopes, plain: isPlain(agreedScopes), plainClaims }))
}
