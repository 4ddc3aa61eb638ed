/** What a link is called, in the ten languages of the pages. */
import type { SharedThing } from "#app/share/shared-thing.ts";
import texts from "./share-texts.json" with { type: "json" };

export type ShareLanguage = keyof typeof texts;

/** `counts`: each a few words; `name`: null where nothing is known of the thing. */
export type ShareWords = {
  title: string;
  description: string;
  counts: readonly string[];
  name: string | null;
};

type Forms = Readonly<Record<string, string>>;

/** Of a name in a title. */
const NAME_MAX = 120;

/** The language of a link: the one that it names, else English. */
export function languageOf(tag: string | null): ShareLanguage {
  const base = tag?.toLowerCase().split("-")[0] ?? "";
  return Object.hasOwn(texts, base) ? (base as ShareLanguage) : "en";
}

/** `place`: the point in words, for a link to nothing that is known. */
export function toShareWords(
  thing: SharedThing | null,
  place: string,
  language: ShareLanguage,
): ShareWords {
  const own = texts[language];
  if (thing === null)
    return {
      title: fill(own.near, { place }),
      description: own.description,
      counts: [],
      name: null,
    };
  const name = toLine(thing.name);
  const counts = countWords(thing.counts, language);
  const listed = counts.join(language === "ja" ? "、" : language === "ar" ? "، " : ", ");
  const time = thing.time?.slice(0, 16).replace("T", " ") ?? null;
  const when = time === null ? "" : `${fill(own.at, { time })} `;
  return {
    title: counts.length === 0 ? name : `${name}: ${listed}`,
    description: when + own.description,
    counts,
    name,
  };
}

function countWords(counts: SharedThing["counts"], language: ShareLanguage): string[] {
  if (counts === null) return [];
  const own = texts[language];
  if (counts.of === "service") {
    const { free, total } = counts;
    return [
      total === null ? count(own.some, free, language) : count(own.free, free, language, total),
    ];
  }
  const { vehicles, docks, isBikes } = counts;
  return [
    ...(vehicles === null ? [] : [count(isBikes ? own.bikes : own.vehicles, vehicles, language)]),
    ...(docks === null ? [] : [count(own.docks, docks, language)]),
  ];
}

// oxlint-disable-next-line max-params -- a text and what is in it
function count(forms: Forms, n: number, language: ShareLanguage, of: number | null = null): string {
  const form = forms[new Intl.PluralRules(language).select(n)] ?? forms["other"]!;
  return fill(form, { n: n.toLocaleString(language), of: String(of) });
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** One line of a name of a feed. */
function toLine(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return Array.from(line).slice(0, NAME_MAX).join("");
}
