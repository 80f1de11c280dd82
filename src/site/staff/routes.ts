// The staff pages: the masjids a person looks after, and one area for each.
import type { FastifyInstance } from 'fastify'
import { addPages } from '../frame/page-routes.ts'
import { addAnnouncementRoutes } from './announcements/routes.ts'
import { addChangesRoutes } from './changes/routes.ts'
import { addDetailsRoutes } from './details/routes.ts'
import { addEventRoutes } from './events/routes.ts'
import { addGivingRoutes } from './giving/routes.ts'
import { addOverviewRoutes } from './overview/routes.ts'
import { addPeopleRoutes } from './people/routes.ts'
import { addPrintRoutes } from './print/routes.ts'
import { addRequestRoutes } from './request/routes.ts'
import { addStaffScreenRoutes } from './screens/routes.ts'
import { receiveFiles } from './sheets/receive-files.ts'
import type { StaffParts } from './staff-parts.ts'
import { addInvitationRoutes } from './team/invitation-routes.ts'
import { addTeamRoutes } from './team/routes.ts'
import { addTimesRoutes } from './times/routes.ts'
import { addWeekRoutes } from './week/routes.ts'

export const addStaffRoutes = (server: FastifyInstance, parts: StaffParts): Promise<void> =>
  addPages(server, parts.pages, async (routes, scope) => {
    await receiveFiles(scope, parts.pages)
    addOverviewRoutes(routes, parts)
    addAnnouncementRoutes(routes, parts)
    addEventRoutes(routes, parts)
    addGivingRoutes(routes, parts)
    addPeopleRoutes(routes, parts)
    addStaffScreenRoutes(routes, parts)
    addTeamRoutes(routes, parts)
    addInvitationRoutes(routes, parts)
    addRequestRoutes(routes, parts)
    addWeekRoutes(routes, parts)
    addPrintRoutes(routes, parts)
    addTimesRoutes(routes, parts)
    addDetailsRoutes(routes, parts)
    addChangesRoutes(routes, parts)
  })
