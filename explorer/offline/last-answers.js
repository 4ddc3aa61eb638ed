/** The last answers of the page, whose module is read when the first has come or failed. */

/**
 * @typedef {import("./answers.js").Answers} Answers @typedef {import("../data/api.js").Ask} Ask
 * @typedef {import("../data/api.js").Call} Call
 * @typedef {{ keep(ask: Ask, pages: readonly Call[]): Promise<void>, find(ask: Ask, failed: Call): Promise<import("./answers.js").Kept | null> }} LastAnswers
 */

/** Statuses that say nothing of the question: an answer of before is shown. */
const AWAY = 500;

/** Of a page that keeps nothing, and leaves alone what others keep. @type {LastAnswers} */
export const NO_LAST_ANSWERS = { keep: async () => {}, find: async () => null };

/** @param {boolean} isOn @returns {LastAnswers} */
export function openLastAnswers(isOn) {
  /** @type {Promise<Answers | null> | null} */
  let opened = null;
  const open = () => (opened ??= read(isOn));
  return {
    async keep(ask, pages) {
      await (await open())?.keep(ask, pages);
    },
    async find(ask, { status }) {
      if (status !== null && status < AWAY) return null;
      return (await (await open())?.find(ask)) ?? null;
    },
  };
}

/** null: the page keeps none, or its browser does not where the address is not safe. @param {boolean} isOn @returns {Promise<Answers | null>} */
async function read(isOn) {
  const stores = globalThis.caches;
  if (stores === undefined) return null;
  try {
    const { Answers } = await import("./answers.js");
    const answers = new Answers({ stores });
    if (isOn) return answers;
    await answers.clear();
  } catch {
    // The module is not there without a network, where it was never read.
  }
  return null;
}
