// The saved queries of an app: listed, opened, saved and deleted on the main service, for whoever is signed in there.
import { element, fillWords, isolated, make, words } from './page-parts.js'
import { hasSecret } from './share.js'
import { closeWhereItCovers } from './tools.js'

const form = element('saving')

const say = text => {
  element('saved-state').textContent = text
}

/** By the status of the response; a redirect leads to the sign-in page. */
const troubleOf = response => {
  if (response.type === 'opaqueredirect' || [403, 404].includes(response.status)) return words.saved.signedOut
  if (response.status === 409) return words.saved.tooMany
  return [413, 422].includes(response.status) ? words.saved.tooLarge : words.saved.failed
}

const addressOf = rest => `/console/apps/${form.elements.app.value}/queries${rest}`

/** @returns the answer, or nothing after saying why not. */
const ask = async (rest, fields) => {
  const body = fields && new URLSearchParams({ anti_forgery: form.elements.anti_forgery.value, ...fields })
  const options = { method: fields ? 'POST' : 'GET', body, redirect: 'manual', headers: { accept: 'application/json' } }
  const response = await fetch(addressOf(rest), options).catch(() => undefined)
  if (response?.ok) return response.json()
  say(response === undefined ? words.saved.failed : troubleOf(response))
  return undefined
}

const dateOf = at =>
  new Date(at).toLocaleDateString(document.documentElement.lang, { dateStyle: 'medium', numberingSystem: 'latn' })

const maySave = () => form.elements.app.selectedOptions[0]?.dataset.maySave !== undefined

const openButton = ({ id, name, savedBy, savedAt }, open) => {
  const button = make(
    'button',
    { type: 'button', className: 'past' },
    isolated(name),
    make('span', { className: 'soft small' }, fillWords(words.saved.by, { name: savedBy, date: dateOf(savedAt) })),
  )
  button.addEventListener('click', async () => {
    say('')
    const found = await ask(`/${id}`)
    if (found === undefined) return
    form.elements.name.value = found.name
    open(found)
    closeWhereItCovers()
  })
  return button
}

const deleteButton = ({ id, name }, show) => {
  const label = fillWords(words.saved.deleteNamed, { name })
  const button = make('button', { type: 'button', className: 'remove', ariaLabel: label, title: label }, '×')
  button.addEventListener('click', async () => {
    if (!confirm(fillWords(words.saved.confirm, { name }))) return
    const left = await ask(`/${id}/delete`, {})
    if (left === undefined) return
    show(left.queries)
    say(words.saved.deleted)
    form.elements.app.focus()
  })
  return button
}

/** @param currentState returns the query, the variables and the credential of the page. */
export const createSavedQueries = (currentState, open) => {
  if (form === null) return
  const show = queries => {
    const entries = queries.map(query =>
      make('li', {}, openButton(query, open), ...(maySave() ? [deleteButton(query, show)] : [])),
    )
    const list =
      entries.length === 0
        ? make('p', { className: 'soft small' }, words.saved.empty)
        : make('ul', { className: 'panel-list' }, ...entries)
    element('saved-list').replaceChildren(list)
  }
  const load = async () => {
    say('')
    element('saved-list').replaceChildren()
    element('saving-new').hidden = !maySave()
    element('saving-viewer').hidden = maySave()
    const found = await ask('')
    if (found !== undefined) show(found.queries)
  }
  form.addEventListener('submit', async event => {
    event.preventDefault()
    if (!maySave()) return
    const { query, variables, credential } = currentState()
    if (hasSecret({ query, variables, credential })) return say(words.saved.secret)
    const answered = await ask('', { name: form.elements.name.value, query, variables })
    if (answered === undefined) return
    show(answered.queries)
    say(words.saved.saved)
  })
  form.elements.app.addEventListener('change', load)
  element('saved').addEventListener('opened', load)
}
