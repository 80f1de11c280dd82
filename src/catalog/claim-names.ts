// Everything that claims names in GraphQL → who gets them. Every name is assigned once, so that the schema can always be built.
// The oldest comes first: a later addition that collides is left out, with a log line, and takes nothing from what existed.
import { reservedTypeNames } from './taken-names.ts'

export interface Claimant {
  /** PostgreSQL's oids increase, for tables, types, functions and keys alike: the smaller, the older. Built-in ones come first. */
  readonly oid: number
  /** Its name in the log; undefined if something else reports for it. */
  readonly label: string | undefined
  /** The root fields of queries and of mutations, and the types that it needs. It gets all of them or none. */
  readonly roots: readonly string[]
  readonly mutations: readonly string[]
  readonly types: readonly string[]
  /** Without these it cannot be exposed. */
  readonly needs: readonly Claimant[]
}

export interface SettledClaims {
  readonly won: ReadonlySet<Claimant>
  readonly leftOut: readonly string[]
}

export const settleClaims = (claimants: readonly Claimant[]): SettledClaims => {
  const roots = new Set<string>()
  const mutations = new Set<string>()
  const types = new Set(reservedTypeNames)
  const won = new Set<Claimant>()
  const leftOut: string[] = []
  const whyNot = (claimant: Claimant): string | undefined => {
    const taken =
      claimant.roots.find(name => roots.has(name)) ??
      claimant.mutations.find(name => mutations.has(name)) ??
      claimant.types.find(name => types.has(name))
    if (taken !== undefined) return `the name ${taken} is taken`
    return claimant.needs.every(need => won.has(need)) ? undefined : 'the name of a type that it needs is taken'
  }
  /** What is left out because of something that is logged needs no line of its own. */
  const isSaid = ({ label, needs }: Claimant): boolean =>
    label === undefined || needs.some(need => need.label !== undefined && !won.has(need))

  for (const claimant of claimants.toSorted((one, other) => one.oid - other.oid)) {
    const reason = whyNot(claimant)
    if (reason === undefined) {
      won.add(claimant)
      for (const name of claimant.roots) roots.add(name)
      for (const name of claimant.mutations) mutations.add(name)
      for (const name of claimant.types) types.add(name)
    } else if (!isSaid(claimant)) leftOut.push(`${claimant.label}: ${reason}`)
  }
  return { won, leftOut }
}
