// A person and the grant of a token → the account, and what was agreed to be shown of it; those asked about at one
// moment in one statement.
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
  /** What the person agreed to show, and with which scopes. */
  readonly claims: readonly Claim[]
  readonly agreedScopes: readonly Scope[]
  /** What the app's reviewer lets it see without `openid`. */
  readonly plainClaims: readonly Claim[]
}

/** As the database has it now; undefined where the grant is not of this person. */
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
 * What was agreed to, less what the token's scopes, its app's scopes and its reviewer no longer let it see. Whether the
 * person was asked with `openid` is decided by the agreement, so that no scope that is dropped later can add a claim.
 */
export const claimsShown = (subject: Subject, scopes: ReadonlySet<Scope>): Claim[] => {
  const { claims, agreedScopes, plainClaims } = subject
  return withinClaims(claims, claimsFor({ scopes, plain: isPlain(agreedScopes), plainClaims }))
}
