// The codes of GraphQL errors, as the catalogue lists them.
import type { faultCatalogue } from '../base/fault-catalogue.ts'

export type GraphqlErrorCode = keyof typeof faultCatalogue.graphql
