// Everything that wants names in GraphQL → who gets them. Every name is given once, so that the schema can always be built.
// The older comes first: what is added later is left out, with a line for the log, and takes nothing from what was there.
import { reservedTypeNames } from './taken-names.ts'

export interface Claimant {
  /** PostgreSQL counts up, for tables, types, functions and keys alike: the smaller, the older. Its own come before all others. */
  readonly oid: number
  /** What the log calls it; undefined for what others speak for. */
  readonly label: string | undefined
  /** The root fields it takes, and the types. It gets all of them or none. */
  readonly roots: readonly string[]
  readonly types: readonly string[]
  /** Without these it cannot be shown. */
  readonly needs: readonly Claimant[]
}

export interface SettledClaims {
  readonly won: ReadonlySet<Claimant>
  readonly leftOut: readonly string[]
}

export const settleClaims = (claimants: readonly Claimant[]): SettledClaims => {
  const roots = new Set<string>()
  const types = new Set(reservedTypeNames)
  const won = new Set<Claimant>()
  const leftOut: string[] = []
  const whyNot = (claimant: Claimant): string | undefined => {
    const taken = claimant.roots.find(name => roots.has(name)) ?? claimant.types.find(name => types.has(name))
    if (taken !== undefined) return `the name ${taken} is taken`
    return claimant.needs.every(need => won.has(need)) ? undefined : 'the name of a type that it needs is taken'
  }
  /** What falls with something that has a line of its own needs none. */
  const isSaid = ({ label, needs }: Claimant): boolean =>
    label === undefined || needs.some(need => need.label !== undefined && !won.has(need))

  for (const claimant of claimants.toSorted((one, other) => one.oid - other.oid)) {
    const reason = whyNot(claimant)
    if (reason === undefined) {
      won.add(claimant)
      for (const name of claimant.roots) roots.add(name)
      for (const name of claimant.types) types.add(name)
    } else if (!isSaid(claimant)) leftOut.push(`${claimant.label}: ${reason}`)
  }
  return { won, leftOut }
}
