/**
 * Mode of a system without vehicle types, as far as its names say so (R1). A feed without types is
 * one of bicycles by the specification; operators of scooters leave them out as well.
 */
import type { Mode } from "../entities.ts";

/** Words for a kind of vehicle, and operators that rent one kind, in lower case without accents. */
const TOKENS: readonly (readonly [mode: Mode, kind: "word" | "operator", tokens: RegExp])[] = [
  [
    "bicycle",
    "word",
    /^(?!motor).*(?:bikes?|bicycles?|velos?|bicis?|bicicletas?|biciclette|cykel|cykler|sykkel|sykler|fiets|fietsen|rower|rowery|fahrrad|mietrad|stadtrad)$/,
  ],
  [
    "scooter",
    "word",
    /^(?:e?scooters?|kickscooters?|trottinettes?|patinetes?|monopattin[io]|hulajnog[ai]|elsparkesykler|sparkesykler|elsparkcyklar|kolobezky|steps)$/,
  ],
  ["moped", "word", /^(?:e?mopeds?|motos?|motosharing|vespas?|motorroller)$/],
  ["car", "word", /^(?:e?cars?|carshar(?:e|ing)|autopartage|autodelen|bildelning|delebil)$/],
  [
    "scooter",
    "operator",
    /^(?:bird|lime|tier|voi|dott|spin|bolt|neuron|beam|superpedestrian|helbiz|ryde|circ|wind|zeus|zwings|veo|whoosh|hopr|skip|scoot)$/,
  ],
  [
    "moped",
    "operator",
    /^(?:cityscoot|felyx|emmy|cooltra|ecooltra|yego|muving|revel|troopy|motit|acciona)$/,
  ],
  [
    "car",
    "operator",
    /^(?:citiz|getaround|communauto|cambio|zipcar|flinkster|stadtmobil|greenmobility|modo|evo)$/,
  ],
];

const ACCENTS = /\p{M}/gu;
const NOT_LETTERS = /[^\p{L}]+/u;
/** Names are short. */
const MAX_LENGTH = 512;

/**
 * The one mode that the names speak of; `other` where they speak of several; null where of none, or
 * of bicycles, which is what a system without types rents anyway. A word for a kind counts more
 * than an operator, which may rent another kind in this place.
 */
export function modeOfNames(names: readonly (string | null | undefined)[]): Mode | null {
  const text = names
    .filter((name) => typeof name === "string")
    .join(" ")
    .slice(0, MAX_LENGTH);
  const tokens = text.normalize("NFD").replace(ACCENTS, "").toLowerCase().split(NOT_LETTERS);
  for (const wanted of ["word", "operator"] as const) {
    const matches = TOKENS.filter(
      ([, kind, pattern]) => kind === wanted && tokens.some((token) => pattern.test(token)),
    );
    const modes = new Set(matches.map(([mode]) => mode));
    if (modes.size > 1) return "other";
    for (const mode of modes) return mode === "bicycle" ? null : mode;
  }
  return null;
}
