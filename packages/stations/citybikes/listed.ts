/**
 * What a station's own words say about it (mobility.md R9; decisions, States of CityBikes): networks write
 * `online`, `closed`, `installed` or a `status` in the operator's language. They are read before flags
 * and counts; a word that is not known leaves unknown whether the station can be used.
 */
import { fold } from "#kit/names/fold.ts";
import { type Row, toBool, toText } from "#kit/coerce.ts";

export type ListedNetworks = "usable" | "closed" | "planned" | "unknown";

const WORDS: Readonly<Record<Exclude<ListedNetworks, "unknown">, readonly string[]>> = {
  usable: [
    ...["open", "opn", "online", "active", "ok", "available", "operative", "operational"],
    ...["yes", "true", "running", "normal", "in use", "live", "working", "up"],
    ...["in service", "in operation", "en service", "en fonctionnement", "en servicio"],
    ...["en linea", "em operacao", "em servico", "attivo", "aktif", "aktiv", "installed", "1"],
  ],
  closed: [
    ...["no", "false", "down", "shut", "temporarily closed", "permanently closed", "broken"],
    ...["closed", "cls", "offline", "inactive", "disabled", "unavailable", "suspended", "locked"],
    ...["out of service", "out of order", "not in service", "not available", "repair", "0"],
    ...["maintenance", "maintenance implementation", "under maintenance", "en maintenance"],
    ...["in maintenance", "manutencao", "em manutencao", "en mantenimiento", "mantenimiento"],
    ...["hors service", "ferme", "fermee", "fuera de servicio", "cerrado", "cerrada", "fechado"],
    ...["fechada", "inactivo", "inactiva", "inativo", "inativa", "desconectada", "chiuso"],
  ],
  planned: [
    ...["planned", "pln", "under construction", "work in progress", "in construction", "future"],
    ...["en travaux", "en construction", "en construccion", "em construcao", "coming soon"],
    ...["not installed", "implementation"],
  ],
};
const MEANINGS: ReadonlyMap<string, ListedNetworks> = new Map(
  Object.entries(WORDS).flatMap(([listed, words]) =>
    words.map((word) => [word, listed as ListedNetworks]),
  ),
);
const LONGEST = 60;

/**
 * Reads the words of `extra`. A station that says nothing is usable, since others are not listed at
 * all; `silent`: what another thing is then.
 */
export function readListedNetworks(extra: Row, silent: ListedNetworks = "usable"): ListedNetworks {
  const words = [extra["status"], extra["state"], extra["online"]].map(readWord);
  if (words.includes("planned") || toBool(extra["installed"]) === false) return "planned";
  if (words.includes("closed") || toBool(extra["closed"]) === true) return "closed";
  if (words.includes("unknown")) return "unknown";
  return words.includes("usable") || toBool(extra["closed"]) === false ? "usable" : silent;
}

/** null: there is none. */
function readWord(value: unknown): ListedNetworks | null {
  if (typeof value === "boolean") return value ? "usable" : "closed";
  // What is there and no word of ours is no word for open.
  if (typeof value === "object" && value !== null) return "unknown";
  const text = toText(value);
  if (text === null) return null;
  if (text.length > LONGEST || text.trim().startsWith("-")) return "unknown";
  return (
    MEANINGS.get(
      fold(text)
        .replaceAll(/[\s_/-]+/g, " ")
        .trim(),
    ) ?? "unknown"
  );
}
