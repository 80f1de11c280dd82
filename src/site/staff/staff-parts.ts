// What the routes of the staff pages share.
import type { Database } from '../../db/database.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import type { Dial } from '../../outbound/guarded-fetch.ts'
import type { RuleComparer } from '../../prayer/comparing/rule-comparer.ts'
import type { SheetReader } from '../../timetables/reading/sheet-reader.ts'
import type { Drawing } from '../drawing/draw-picture.ts'
import type { PageFrame } from '../frame/page-routes.ts'

export interface StaffParts {
  readonly database: Database
  /** Pages read and write through the same engine as apps. */
  readonly graphql: Engine
  readonly pages: PageFrame
  readonly baseUrl: string
  /** How sheets on the web are reached; undefined: the public internet only. */
  readonly dial?: Dial | undefined
  /** Reads what staff bring, on a thread of its own. */
  readonly sheets: SheetReader
  readonly drawing: Drawing
  /** Compares the rules for high latitudes, on a thread of its own. */
  readonly rules: RuleComparer
}
