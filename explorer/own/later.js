/** What a visitor has of their own, loaded at once where something is saved, and else when the page has all it needs. */

/** @typedef {Parameters<typeof import("./open.js").openOwn>[0]} Given @typedef {import("../data/items.js").Item} Item */

/** @param {Given & { after: Promise<unknown> }} given `after`: the page has all that it needs */
export function createOwn({ after, ...given }) {
  let own = /** @type {Awaited<ReturnType<typeof import("./open.js").openOwn>> | null} */ (null);
  let item = /** @type {Item | null} */ (null);
  let isComing = false;

  async function open() {
    if (isComing) return;
    isComing = true;
    try {
      const { openOwn } = await import("./open.js");
      own = await openOwn(given);
      if (item !== null) own.show(item);
    } catch (error) {
      // Without a network it may not be there, and the page is whole without it.
      isComing = false;
      if (navigator.onLine) reportError(error);
    }
  }

  const isSaved = document.documentElement.dataset["own"] !== undefined;
  void (isSaved ? open() : after.then(open));
  return {
    /** The details show this thing. @param {Item} next */
    show(next) {
      item = next;
      if (own === null) void open();
      else own.show(next);
    },
  };
}
