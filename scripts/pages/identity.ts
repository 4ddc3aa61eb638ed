/** The tables of docs/identity.md, from the tables of packages/stations/identity; the prose around them stays. */
import { readFileSync } from "node:fs";
import { KEY_BRIDGES } from "#stations/identity/station-keys.ts";
import { SOURCE_KINDS } from "#stations/identity/observed-station.ts";
import { THRESHOLDS, WEIGHTS } from "#stations/identity/weights.ts";

const IDENTITY_PAGE = new URL("../../docs/identity.md", import.meta.url);

export function identityPage(): string {
  return replaceSection(readFileSync(IDENTITY_PAGE, "utf8"), "rules", rulesText());
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
export function replaceSection(page: string, name: string, text: string): string {
  const begin = `<!-- ${name} -->\n`;
  const from = page.indexOf(begin);
  const to = page.indexOf(`<!-- /${name} -->`);
  if (from < 0 || to < from) throw new Error(`no section ${name} in the page`);
  return `${page.slice(0, from + begin.length)}\n${text}\n\n${page.slice(to)}`;
}

function rulesText(): string {
  const weights = Object.entries(WEIGHTS).map(
    ([name, { value, why }]) => `| \`${name}\` | ${signed(value)} | ${why} |`,
  );
  const thresholds = Object.entries(THRESHOLDS).map(
    ([name, { value, unit, why }]) =>
      `| \`${name}\` | ${String(value).replace("-", "−")}${unit} | ${why} |`,
  );
  const kinds = Object.entries(SOURCE_KINDS).map(
    ([kind, { rank, precision_m }]) => `| \`${kind}\` | ${rank} | ${precision_m} m |`,
  );
  const keys = KEY_BRIDGES.map(({ a, b, why }) => `| \`${a}\` | \`${b}\` | ${why} |`);
  return [
    table("| finding | weight | because |", weights),
    table("| number | value | what for |", thresholds),
    table("| source | rank | usual precision |", kinds),
    table("| key of one | key of the other | because |", keys),
  ].join("\n\n");
}

function table(head: string, rows: readonly string[]): string {
  const rule = head.replace(/[^|]+/g, "---");
  return [head, rule, ...rows].join("\n");
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value).replace("-", "−");
}
