// Why a mutation does not run in the sandbox: it is for trying, with a test key.
import { GraphQLError } from 'graphql'
import type { Grant } from '../../access/grant.ts'
import type { Model } from '../../catalog/model.ts'
import type { GraphqlErrorCode } from '../error-code.ts'

/** Comes before the check of scopes, so that nobody asks for one in vain. @throws unless it is a dry run with a credential. */
export const refuseInSandbox = ({ schema }: Model, { credential }: Grant, dryRun: boolean): void => {
  if (schema !== 'sandbox' || (dryRun && credential !== 'none')) return
  const advice = dryRun
    ? 'Send a test key: "Authorization: Bearer mk_test_…".'
    : 'Add @dry_run to the mutation, and send a test key, to see what it would do.'
  throw new GraphQLError(`Nothing can be changed in the sandbox. ${advice}`, {
    extensions: { code: 'sandbox-read-only' satisfies GraphqlErrorCode },
  })
}
