// The key of an authenticator app → the page that shows it once; new recovery codes → the page that shows them once.
import { renderSVG } from 'uqr'
import type { TotpKey } from '../../accounts/factors/totp.ts'
import { accountPage } from '../account/account-frame.ts'
import { SECURITY_PAGE } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { copyButtons } from '../pieces/copy/copy.ts'
import { codeBlock } from '../pieces/data.ts'
import { form } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { codeField } from './code-forms.ts'

const qrImage = (uri: string, label: string): Html => {
  const picture = Buffer.from(renderSVG(uri, { border: 2 })).toString('base64')
  return html`<img class="qr" alt="${label}" width="220" height="220" src="data:image/svg+xml;base64,${picture}">`
}

export const setUpAppPage = (view: View, { uri, text }: TotpKey, wrong: boolean): Html => {
  const { factors, common } = view.texts
  const code = codeField({
    label: factors.setUpCode,
    hint: factors.setUpCodeHint,
    fault: wrong ? factors.setUpWrong : undefined,
  })
  const buttons = actions(
    submitButton({ text: factors.setUpButton, look: 'primary' }),
    linkButton({ href: SECURITY_PAGE, text: common.cancel }),
  )
  return accountPage(view, {
    section: 'security',
    title: factors.setUpTitle,
    head: copyButtons(view),
    main: html`<section class="card"><p>${factors.setUpScan}</p>${qrImage(uri, factors.setUpQr)}
<p>${factors.setUpKey}</p>${codeBlock(text, factors.setUpKeyLabel)}
${form(view, { action: `${SECURITY_PAGE}/app`, fields: [code, buttons] })}</section>`,
  })
}

export const recoveryCodesPage = (view: View, codes: readonly string[], news: string): Html => {
  const { factors } = view.texts
  const text = `${codes.join('\n')}\n`
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Minaret\n\n${text}`)}`
  return accountPage(view, {
    section: 'security',
    title: factors.codesTitle,
    head: copyButtons(view),
    news: notice({ tone: 'good', text: news }),
    main: html`<section class="card"><p>${factors.codesKeep}</p>${codeBlock(codes.join('\n'), factors.codesLabel)}
<div class="actions"><a class="button" download="minaret-recovery-codes.txt" href="${file}">${factors.codesDownload}</a>
${linkButton({ href: `${SECURITY_PAGE}/done`, text: factors.codesKept, look: 'primary' })}</div></section>`,
  })
}
