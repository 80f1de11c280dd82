// Every sample, id and secret on the page → a button beside it that copies it. Without script, or where the browser does not let
// pages copy, one click still selects the whole text.
const { copy, copied } = document.currentScript.dataset
const SHOWN_MS = 2000

const buttonFor = block => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button small copy'
  button.textContent = copy
  // The name says what is copied, once there are several.
  const label = block.getAttribute('aria-label')
  if (label !== null) button.setAttribute('aria-label', `${copy}: ${label}`)
  const said = document.createElement('span')
  said.className = 'visually-hidden'
  said.setAttribute('role', 'status')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent.trim())
    button.textContent = copied
    said.textContent = copied
    setTimeout(() => {
      button.textContent = copy
      said.textContent = ''
    }, SHOWN_MS)
  })
  return [button, said]
}

const framed = block => {
  const frame = document.createElement('div')
  frame.className = 'copy-frame'
  block.replaceWith(frame)
  frame.append(block, ...buttonFor(block))
}

if (navigator.clipboard !== undefined) {
  for (const block of document.querySelectorAll('pre.code')) framed(block)
  for (const text of document.querySelectorAll('code.select-all')) text.after(' ', ...buttonFor(text))
}
