/** The words of the page: one data file a language, chosen by the address, the user or the browser. */

/** Tag → name in its own language. */
export const LANGUAGES = /** @type {Readonly<Record<string, string>>} */ ({
  en: "English",
  fr: "Français",
  de: "Deutsch",
  es: "Español",
  it: "Italiano",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português",
  ja: "日本語",
  ar: "العربية",
});

const RIGHT_TO_LEFT = new Set(["ar"]);
const KEY = "vicinity-language";

/**
 * A text, or its forms by the plural category of `n`.
 * @typedef {string | Record<string, string>} Text
 */

/** @type {Readonly<Record<string, Text>>} */
let texts = {};
let chosen = "en";
let plurals = new Intl.PluralRules("en");

/**
 * Reads the texts of the language that fits best, or of `tag`, and marks the document with it.
 * @param {string} assets @param {{ tag?: string, folder?: string }} [options] `folder`: of further texts
 */
export async function loadTexts(assets, { tag = chooseLanguage(), folder } = {}) {
  const readAll = async (/** @type {string} */ name) => {
    const paths = folder === undefined ? [name] : [name, `${folder}/${name}`];
    const tables = await Promise.all(paths.map((path) => read(assets, path)));
    return Object.assign({}, ...tables);
  };
  chosen = tag;
  texts = await readAll(chosen).catch(() => {
    chosen = "en";
    return readAll("en");
  });
  plurals = new Intl.PluralRules(chosen);
  document.documentElement.lang = chosen;
  document.documentElement.dir = RIGHT_TO_LEFT.has(chosen) ? "rtl" : "ltr";
}

/** Adds the texts of a part that is loaded later. @param {string} assets @param {string} folder */
export async function addTexts(assets, folder) {
  texts = { ...texts, ...(await read(assets, `${folder}/${chosen}`)) };
}

/** Of texts and figures, as a BCP 47 tag. */
export function language() {
  return chosen;
}

/** Keeps a choice for the next visit and loads the page again in it. @param {string} tag */
export function setLanguage(tag) {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // Then it is kept by the address alone.
  }
  const address = new URL(location.href);
  address.searchParams.set("lang", tag);
  location.replace(address);
}

/**
 * Returns a text with its `{names}` replaced; `n` chooses the plural form and is written by locale.
 * An unknown key is returned as it is, which the tests look for.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = texts[key];
  if (text === undefined) return key;
  const n = typeof values["n"] === "number" ? values["n"] : null;
  const form = typeof text === "string" ? text : (text[plurals.select(n ?? 0)] ?? text["other"]);
  return (form ?? key).replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? value.toLocaleString(chosen) : value;
  });
}

/** Whether there is a text of this key. @param {string} key */
export function hasText(key) {
  return texts[key] !== undefined;
}

function chooseLanguage() {
  const named = new URLSearchParams(location.search).get("lang");
  return pickLanguage([named, readChoice(), ...navigator.languages]);
}

/** The first of the wishes that there are texts in; English without one. @param {readonly (string | null)[]} wanted BCP 47 tags */
export function pickLanguage(wanted) {
  for (const tag of wanted) {
    const base = tag?.toLowerCase().split("-")[0] ?? "";
    if (Object.hasOwn(LANGUAGES, base)) return base;
  }
  return "en";
}

function readChoice() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string} assets @param {string} name */
async function read(assets, name) {
  const response = await fetch(`${assets}/texts/${name}.json`);
  if (!response.ok) throw new Error(`texts ${name}: ${response.status}`);
  return response.json();
}
