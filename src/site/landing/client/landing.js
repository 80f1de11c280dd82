// In the browser: the first query is sent to the sandbox, and its response shown in place.
/* global showJson */

const element = id => document.getElementById(id)
const form = element('try')
const query = element('query')
const answer = element('answer')

const linkExplorer = () => {
  element('in-explorer').href = `/explorer?query=${encodeURIComponent(query.value)}`
}

const ask = async () => {
  answer.textContent = form.dataset.running
  element('took').textContent = ''
  const started = performance.now()
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: JSON.stringify({ query: query.value }),
      credentials: 'omit',
    })
    showJson(answer, await response.json())
    element('took').textContent = `${response.status} · ${Math.round(performance.now() - started)} ms`
  } catch {
    answer.textContent = form.dataset.failed
  }
}

form.addEventListener('submit', event => {
  event.preventDefault()
  ask()
})

query.addEventListener('keydown', event => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) ask()
})

query.addEventListener('input', linkExplorer)
linkExplorer()
