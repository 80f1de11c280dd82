// What the screen keeps through loss of power: one record per name, each written whole or not at all.
const NAME = 'minaret-screen'
const STORE = 'kept'

const settle = request =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

let opened

const open = () => {
  if (opened === undefined) {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    opened = settle(request)
  }
  return opened
}

/** Where the browser keeps nothing for us, as in a frame of another site, the screen lasts until it is closed. */
const memory = new Map()

const readKept = async name => settle((await open()).transaction(STORE).objectStore(STORE).get(name))

export const read = name => readKept(name).catch(() => memory.get(name))

const writeKept = async records => {
  const transaction = (await open()).transaction(STORE, 'readwrite', { durability: 'strict' })
  const store = transaction.objectStore(STORE)
  for (const [name, value] of Object.entries(records)) {
    if (value === undefined) store.delete(name)
    else store.put(value, name)
  }
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}

/** Several records change together; undefined removes one. On the disk before it resolves. */
export const write = async records => {
  for (const [name, value] of Object.entries(records)) memory.set(name, value)
  await writeKept(records).catch(() => undefined)
}
