/** The table of trials/README.md, from trials/table.ts. */
import { readFileSync } from "node:fs";
import { type TrialEntry, TRIALS } from "../../trials/table.ts";
import { replaceSection } from "./identity.ts";

const PAGE = new URL("../../trials/README.md", import.meta.url);

export function trialsPage(): string {
  const rows = Object.entries(TRIALS).map(([name, entry]) => toRow(name, entry));
  const head = "| trial | shows that | takes | needs | short form |\n|---|---|---|---|---|";
  return replaceSection(readFileSync(PAGE, "utf8"), "trials", [head, ...rows].join("\n"));
}

function toRow(name: string, entry: TrialEntry): string {
  const needs = [...entry.needs, ...(entry.quiet ? ["a quiet machine"] : [])].join(", ") || "–";
  const short = entry.short.map((text) => (/[ ,]/.test(text) ? `"${text}"` : text)).join(" ");
  const usage = `\`${name} ${entry.options}\``;
  const shows = `${entry.shows}<br>${usage}`;
  const takes = `${entry.takes}; short ${entry.short_takes}`;
  return `| ${[name, shows, takes, needs, short === "" ? "the same" : `\`${short}\``].join(" | ")} |`;
}
