// A list and the members there are → what an import would do with each row: new, changed, same, doubtful, wrong.
import type { KnownMember } from './known-members.ts'
import type { ListedPerson, ListRow, RowFault } from './read-list.ts'

const changeable = ['given_name', 'family_name', 'email', 'phone', 'joined_on', 'household'] as const
type Changeable = (typeof changeable)[number]

type Doubt = 'twiceInList' | 'samePhone' | 'sameName' | 'otherName' | 'deleted' | 'ownAccount'

export interface ComparedRow {
  readonly line: number
  readonly person: ListedPerson
  readonly kind: 'new' | 'changed' | 'same' | 'doubtful' | 'wrong'
  readonly fault?: RowFault
  readonly doubt?: Doubt
  /** The member it is, or may be. */
  readonly member?: KnownMember
  readonly changes?: readonly Changeable[]
}

const digits = (phone: string | null | undefined): string => (phone ?? '').replaceAll(/\D/g, '').replace(/^0+/, '')
const fullName = (person: { given_name: string; family_name?: string | null | undefined }): string =>
  [person.given_name, person.family_name].filter(Boolean).join(' ').toLocaleLowerCase()

/** An empty cell changes nothing. */
const changesOf = (person: ListedPerson, member: KnownMember): Changeable[] =>
  changeable.filter(field => {
    const given = person[field]
    return given !== undefined && given.toLocaleLowerCase() !== (member[field] ?? '').toLocaleLowerCase()
  })

interface Known {
  readonly byEmail: ReadonlyMap<string, KnownMember>
  readonly byPhone: ReadonlyMap<string, KnownMember>
  readonly byPhoneAndName: ReadonlyMap<string, KnownMember>
  readonly byName: ReadonlyMap<string, KnownMember>
}

const phoneAndName = (phone: string, name: string): string => `${phone} ${name}`

/** Nobody is searched for: thousands of rows may have the telephone of thousands of members. The first with a key has it. */
const firstBy = (
  members: readonly KnownMember[],
  keyOf: (member: KnownMember) => string,
): ReadonlyMap<string, KnownMember> => new Map(members.toReversed().map(member => [keyOf(member), member]))

const orderMembers = (members: readonly KnownMember[]): Known => {
  const listed = members.filter(({ deleted }) => !deleted)
  const reachable = listed.filter(({ phone }) => digits(phone) !== '')
  return {
    byEmail: new Map(members.flatMap(member => (member.email === null ? [] : [[member.email, member] as const]))),
    byPhone: firstBy(reachable, ({ phone }) => digits(phone)),
    byPhoneAndName: firstBy(reachable, member => phoneAndName(digits(member.phone), fullName(member))),
    byName: firstBy(listed, fullName),
  }
}

type Judged = Pick<ComparedRow, 'kind' | 'doubt' | 'member' | 'changes'>

/** Sharing counts as a change; somebody with an account agrees themselves. */
const judgeMember = (person: ListedPerson, member: KnownMember): Judged => {
  const agrees = person.api_sharing && !member.shares
  if (agrees && member.hasAccount) return { kind: 'doubtful', doubt: 'ownAccount', member }
  const changes = changesOf(person, member)
  return { kind: changes.length > 0 || agrees ? 'changed' : 'same', member, changes }
}

const judge = (person: ListedPerson, known: Known): Judged => {
  const name = fullName(person)
  const mailed = person.email === undefined ? undefined : known.byEmail.get(person.email)
  if (mailed?.deleted) return { kind: 'doubtful', doubt: 'deleted', member: mailed }
  if (mailed !== undefined && fullName(mailed) !== name) return { kind: 'doubtful', doubt: 'otherName', member: mailed }
  if (mailed !== undefined) return judgeMember(person, mailed)
  const phone = digits(person.phone)
  const same = known.byPhoneAndName.get(phoneAndName(phone, name))
  if (same !== undefined) return judgeMember(person, same)
  const called = known.byName.get(name)
  if (called !== undefined) return { kind: 'doubtful', doubt: 'sameName', member: called }
  const other = known.byPhone.get(phone)
  return other === undefined ? { kind: 'new' } : { kind: 'doubtful', doubt: 'samePhone', member: other }
}

/** By which two rows of one list would be the same person. */
const keyOf = ({ email, phone, ...person }: ListedPerson): string => email ?? `${fullName(person)} ${digits(phone)}`

export const compareList = (rows: readonly ListRow[], members: readonly KnownMember[]): ComparedRow[] => {
  const known = orderMembers(members)
  const seen = new Set<string>()
  return rows.map(({ line, person, fault }) => {
    if (fault !== undefined) return { line, person, kind: 'wrong', fault }
    const key = keyOf(person)
    if (seen.has(key)) return { line, person, kind: 'doubtful', doubt: 'twiceInList' }
    seen.add(key)
    return { line, person, ...judge(person, known) }
  })
}

export type Decision = 'skip' | 'new' | 'same'

/** What a doubtful row can still be; the first is what happens unless somebody decides. */
export const decisionsFor = ({ doubt }: ComparedRow): readonly Decision[] => {
  if (doubt === 'samePhone' || doubt === 'sameName') return ['skip', 'new', 'same']
  return doubt === 'otherName' ? ['skip', 'same'] : ['skip']
}

type ImportedPerson = Partial<ListedPerson> & { readonly id?: string }

/** With an id, a listed member is changed. Undefined: nothing is written. */
export const importedOf = (row: ComparedRow, decision: Decision): ImportedPerson | undefined => {
  const { kind, person, member } = row
  if (kind === 'wrong' || kind === 'same') return undefined
  const doing = kind === 'doubtful' ? (decisionsFor(row).includes(decision) ? decision : 'skip') : kind
  if (doing === 'skip') return undefined
  return doing === 'new' || member === undefined ? person : { ...person, id: member.id }
}
