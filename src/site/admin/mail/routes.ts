// Administration, mail: what was given up, and trying it again.
import { listGivenUp, sendAgain } from '../../../accounts/refused-mail.ts'
import { recordAudit } from '../../../audit/record-audit.ts'
import type { Database } from '../../../db/database.ts'
import { actorOf } from '../../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { administering } from '../../frame/rights.ts'
import { mailPage, RESEND_PATH } from './mail-page.ts'

const words = ['done', 'gone'] as const

const show = async (database: Database, { view, query }: SignedInVisit): Promise<Answer> => {
  const said = words.find(word => word === query.text('said'))
  return showPage(mailPage(view, await listGivenUp(database), said && view.texts.admin.mail[said]))
}

const accept = async (database: Database, visit: SignedInVisit): Promise<Answer> => {
  const id = visit.form.text('id')
  const sent = await database.transaction(async transaction => {
    const found = /^\d{1,18}$/.test(id) && (await sendAgain(transaction, id))
    if (found)
      await recordAudit(transaction, { action: 'mail.sent_again', actor: actorOf(visit), detail: { mail: id } })
    return found
  })
  return redirectTo(`/admin/mail?said=${sent ? 'done' : 'gone'}`)
}

export const addAdminMailRoutes = (routes: PageRoutes, { database }: { readonly database: Database }): void => {
  routes.getSignedIn(
    '/admin/mail',
    administering(visit => show(database, visit)),
  )
  routes.postSignedIn(
    RESEND_PATH,
    administering(visit => accept(database, visit)),
  )
}
