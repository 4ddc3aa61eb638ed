/**
 * What a station's own words say about it (mobility.md R9; decisions, States of CityBikes): networks write
 * `online`, `closed`, `installed` or a `status` in the operator's language. They are read before flags
 * and counts; a word that is not known leaves unknown whether the station can be used.
 */
import { fold } from "#core/identity/fold.ts";
import { type Row, toBool, toText } from "#providers/coerce.ts";

export type Listed = "usable" | "closed" | "planned" | "unknown";

const WORDS: Readonly<Record<Exclude<Listed, "unknown">, readonly string[]>> = {
  usable: [
    ...["open", "opn", "online", "active", "ok", "available", "operative", "operational"],
    ...["in service", "in operation", "en service", "en fonctionnement", "en servicio"],
    ...["en linea", "em operacao", "em servico", "attivo", "aktif", "aktiv", "installed", "1"],
  ],
  closed: [
    ...["closed", "cls", "offline", "inactive", "disabled", "unavailable", "suspended", "locked"],
    ...["out of service", "out of order", "not in service", "not available", "repair", "0"],
    ...["maintenance", "maintenance/implementation", "under maintenance", "en maintenance"],
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
const MEANINGS: ReadonlyMap<string, Listed> = new Map(
  Object.entries(WORDS).flatMap(([listed, words]) => words.map((word) => [word, listed as Listed])),
);
const LONGEST = 60;

/** Reads the words of `extra`; a station that says nothing is usable: others are not listed at all. */
export function readListed(extra: Row): Listed {
  const word = readWord(extra["status"]) ?? readWord(extra["state"]);
  if (word === "planned" || toBool(extra["installed"]) === false) return "planned";
  const isClosed = toBool(extra["online"]) === false || toBool(extra["closed"]) === true;
  return isClosed ? "closed" : (word ?? "usable");
}

/** null: there is none. */
function readWord(value: unknown): Listed | null {
  const text = toText(value);
  if (text === null) return null;
  if (text.length > LONGEST) return "unknown";
  return MEANINGS.get(fold(text).replaceAll("_", " ").trim()) ?? "unknown";
}
