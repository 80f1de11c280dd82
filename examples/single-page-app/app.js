// Signs a person in with authorization code and PKCE, using oidc-client-ts, and lists masjids on their behalf.
/* global oidc */

const settings = await (await fetch('/settings.json')).json()

const manager = new oidc.UserManager({
  authority: settings.minaret,
  client_id: settings.clientId,
  redirect_uri: `${location.origin}/callback`,
  scope: 'openid profile masjid:read',
  // Tokens live as long as the tab. A refresh token renews them in the meantime.
  userStore: new oidc.WebStorageStateStore({ store: sessionStorage }),
  automaticSilentRenew: true,
  loadUserInfo: true,
})

const element = id => document.getElementById(id)

const ask = async (user, query) => {
  const response = await fetch(`${settings.minaret}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors[0].message)
  return data
}

const showMasjids = async user => {
  const { up_masjids } = await ask(user, '{ up_masjids(limit: 10, order_by: {name: asc}) { name city } }')
  element('masjids').replaceChildren(
    ...up_masjids.map(({ name, city }) => {
      const item = document.createElement('li')
      item.textContent = `${name}, ${city}`
      return item
    }),
  )
}

const show = async user => {
  element('sign-in').hidden = user !== null
  element('sign-out').hidden = user === null
  element('status').textContent = user === null ? 'You are not signed in.' : `Salam, ${user.profile.name}.`
  if (user === null) element('masjids').replaceChildren()
  else await showMasjids(user)
}

/** Back from Minaret: exchanges the code and removes it from the URL. */
const finishSignIn = async () => {
  const user = await manager.signinCallback()
  history.replaceState(null, '', '/')
  return user
}

element('sign-in').addEventListener('click', () => manager.signinRedirect())

element('sign-out').addEventListener('click', async () => {
  await manager.revokeTokens(['refresh_token'])
  await manager.removeUser()
  await show(null)
})

try {
  await show(location.pathname === '/callback' ? await finishSignIn() : await manager.getUser())
} catch (error) {
  element('status').textContent = `That did not work: ${error.message}`
  element('sign-in').hidden = false
}
