// `@cached`, which clients of Hasura send: accepted, and without effect, as answers from memory are never out of date.
import { DirectiveLocation, GraphQLBoolean, GraphQLDirective, GraphQLInt, GraphQLNonNull } from 'graphql'

export const cachedDirective = new GraphQLDirective({
  name: 'cached',
  description: 'Accepted for clients of Hasura, and without effect: what is kept in memory is never out of date.',
  args: {
    ttl: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 60 },
    refresh: { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: false },
  },
  locations: [DirectiveLocation.QUERY],
})
