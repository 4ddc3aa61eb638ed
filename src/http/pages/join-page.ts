/**
 * Modules of a page as one script, for a document that may load nothing and for a page that loads little:
 * each becomes a function that returns what it exports. What is imported later is part of it as well.
 * Modules are ours, and written as the formatter writes them.
 */

/** Returns the text of one script; `read` gives the text of a module. Throws on a form it does not know. */
export function joinModules(entry: URL, read: (url: URL) => string): string {
  const names = new Map<string, string>();
  const parts: string[] = [];
  const add = (url: URL, path: readonly string[]): string => {
    if (path.includes(url.href)) throw new Error(`${url.href} imports itself`);
    const known_name = names.get(url.href);
    if (known_name !== undefined) return known_name;
    const text = read(url);
    const nameOf = (from: string): string => add(new URL(from, url), [...path, url.href]);
    const imports = [...text.matchAll(IMPORT)].map(
      ([, members = "", from = ""]) =>
        `const {${members.replaceAll(" as ", ": ")}} = ${nameOf(from)};\n`,
    );
    const rest = text
      .replaceAll(IMPORT, "")
      .replaceAll(LATER, (_, from: string) => `await ${nameOf(from)}`);
    const name = `module_${names.size}`;
    names.set(url.href, name);
    parts.push(toPart(name, url, { imports, text: rest }));
    return name;
  };
  add(entry, []);
  return parts.join("");
}

const IMPORT = /^import \{([^}]*)\} from "(\.[^"]+)";\n/gm;
const LATER = /\bawait import\("(\.[^"]+)"\)/g;
const EXPORT = /^export (?=(?:async )?(?:function|const|class) (\w+))/gm;
const OTHER = /^(?:import|export)\b.*/m;

function toPart(name: string, url: URL, module: { imports: string[]; text: string }): string {
  const exported = [...module.text.matchAll(EXPORT)].map(([, member]) => member);
  const body = module.text.replaceAll(EXPORT, "");
  const [unknown] = OTHER.exec(body) ?? [];
  if (unknown !== undefined) throw new Error(`${url.href}: ${unknown}`);
  const lines = [...module.imports, body, `return { ${exported.join(", ")} };\n`];
  return `const ${name} = await (async () => {\n${lines.join("")}})();\n`;
}
