/**
 * The map that hosts of agents show (docs/agents.md, Map): one document with its styles and its
 * script inside, since the frame of a host loads nothing.
 */
import { readFileSync } from "node:fs";
import { joinModules } from "./join-page.ts";

const EXPLORER = new URL("../../../explorer/", import.meta.url);
const FOLDER = new URL("agent-map/", EXPLORER);
const STYLES = [new URL("page/tokens.css", EXPLORER), new URL("view.css", FOLDER)];

/** Returns what gives the document; it is made from its files when it is first wanted. */
export function createAgentMap(version: string): () => string {
  let made: string | null = null;
  return () => (made ??= make(version));
}

function make(version: string): string {
  const html = read(new URL("view.html", FOLDER));
  const style = STYLES.map(read).join("");
  const script = joinModules(new URL("main.js", FOLDER), read);
  return html
    .replace('name="version" content=""', () => `name="version" content="${version}"`)
    .replace("<style></style>", () => `<style>\n${style}</style>`)
    .replace(/(<script type="module">)(<\/script>)/, (_, begin: string, end: string) =>
      [begin, "\n", keepInside(script), end].join(""),
    );
}

function read(url: URL): string {
  return readFileSync(url, "utf8");
}

/** A script ends at the first such text, whatever it is part of. */
function keepInside(script: string): string {
  if (/<\/script|<!--/i.test(script))
    throw new Error("the script of the map would end its element");
  return script;
}
