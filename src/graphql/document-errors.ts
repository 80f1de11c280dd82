// All errors of a document at once.
import type { GraphQLError } from 'graphql'

export class DocumentErrors extends Error {
  readonly errors: readonly GraphQLError[]
  constructor(errors: readonly GraphQLError[]) {
    super('the document is not valid')
    this.errors = errors
  }
}
