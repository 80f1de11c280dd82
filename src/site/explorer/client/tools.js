// The buttons of the tools: each shows its panel beside the editor, one at a time.
import { element } from './page-parts.js'

const buttons = [...document.querySelectorAll('[data-tool]')]
const isWide = matchMedia('(min-width: 64rem)')

export const openTool = id => {
  for (const button of buttons) {
    const isOpen = button.dataset.tool === id
    button.setAttribute('aria-expanded', String(isOpen))
    element(button.dataset.tool).hidden = !isOpen
  }
  if (id !== undefined) element(id).dispatchEvent(new Event('opened'))
}

/** On a phone a panel covers the editor: what was chosen there is seen once it is closed. */
export const closeWhereItCovers = () => {
  if (!isWide.matches) openTool(undefined)
}

for (const button of buttons)
  button.addEventListener('click', () =>
    openTool(button.getAttribute('aria-expanded') === 'true' ? undefined : button.dataset.tool),
  )

document.querySelector('.workbench').addEventListener('keydown', event => {
  const panel = event.target.closest('.panel')
  if (event.key !== 'Escape' || panel === null || event.defaultPrevented) return
  openTool(undefined)
  buttons.find(({ dataset }) => dataset.tool === panel.id).focus()
})

if (isWide.matches) openTool('builder')
