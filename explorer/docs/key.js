/** The reader's API key: kept in memory, and by the browser until the tab is closed. */

const NAME = "vicinity-key";

let key = read();
const watchers = /** @type {(() => void)[]} */ ([]);

/** The key in use; null: requests are anonymous. */
export function currentKey() {
  return key;
}

/** @param {string | null} given */
export function setKey(given) {
  key = given;
  try {
    if (given === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, given);
  } catch {
    // Then it is kept as long as the page.
  }
  for (const watcher of watchers) watcher();
}

/** Runs at every change of the key. @param {() => void} watcher */
export function watchKey(watcher) {
  watchers.push(watcher);
}

function read() {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}
