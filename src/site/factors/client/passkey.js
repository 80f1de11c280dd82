// Forms with options for an authenticator → the browser's own dialog, then the form with its answer. Without script, or where the
// browser has no passkeys, these forms stay hidden.
const supported =
  typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

/** What autofill waits for; a click on a button takes its place. */
let waiting = new AbortController()

const send = (form, credential) => {
  form.elements.response.value = JSON.stringify(credential)
  form.submit()
}

const ask = (form, more = {}) => {
  const options = JSON.parse(form.dataset.options)
  return form.dataset.passkey === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options), ...more })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options), ...more })
}

const onClick = async (form, event) => {
  event.preventDefault()
  waiting.abort()
  waiting = new AbortController()
  const fault = form.querySelector('[data-fault]')
  fault.hidden = true
  try {
    send(form, await ask(form, { signal: waiting.signal }))
  } catch (error) {
    fault.textContent = error.name === 'InvalidStateError' ? fault.dataset.known : fault.dataset.fault
    fault.hidden = false
  }
}

/** The browser offers passkeys in the field for the email address. */
const offerInField = async form => {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  const credential = await ask(form, { mediation: 'conditional', signal: waiting.signal })
  send(form, credential)
}

if (supported)
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false
    form.addEventListener('submit', event => onClick(form, event))
    // Aborted by a click, or refused: the button is still there.
    if (form.dataset.autofill !== undefined) offerInField(form).catch(() => undefined)
  }
