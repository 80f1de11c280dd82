// In the browser: "Run this" asks the sandbox and shows the answer below the sample, and a language that was chosen for one sample
// is chosen for all. Without script the link leads to the explorer, and every sample has a choice of its own.
/* global showJson */
const { endpoint, key, running, answer, failed } = document.currentScript.dataset

const ask = async query => {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
    credentials: 'omit',
  })
  return response.json()
}

const answerBlock = link => {
  const block = document.createElement('pre')
  block.className = 'code answer'
  block.tabIndex = 0
  block.setAttribute('role', 'region')
  block.setAttribute('aria-label', answer)
  block.setAttribute('aria-live', 'polite')
  link.parentElement.after(block)
  return block
}

for (const link of document.querySelectorAll('[data-run]')) {
  let block
  link.addEventListener('click', async event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    block ??= answerBlock(link)
    block.textContent = running
    try {
      showJson(block, await ask(link.dataset.run))
    } catch {
      block.textContent = failed
    }
  })
}

const KEPT = 'sample-language'
const choices = document.querySelectorAll('.tabs > input')

const choose = language => {
  for (const choice of choices) if (choice.value === language) choice.checked = true
}

for (const choice of choices) {
  choice.addEventListener('change', () => {
    choose(choice.value)
    localStorage.setItem(KEPT, choice.value)
  })
}

choose(localStorage.getItem(KEPT))
