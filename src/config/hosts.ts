/** The hosts of the addresses that a configuration file names, without those of defaults. */

/** Members that hold an address, or addresses by country. */
const ADDRESS = /^(url|\w+_url|catalogue)$/;
const ADDRESSES = "countries";

/** `host:port`, each once. `tree` is the file before defaults are filled in. */
export function listHosts(tree: unknown): string[] {
  const { sources } = (tree ?? {}) as { sources?: unknown };
  const hosts = new Set<string>();
  const visit = (node: unknown, isAddress: boolean): void => {
    if (typeof node === "string") {
      const host = isAddress ? toHost(node) : null;
      if (host !== null) hosts.add(host);
    } else if (Array.isArray(node)) node.forEach((item) => visit(item, false));
    else if (typeof node === "object" && node !== null)
      for (const [name, member] of Object.entries(node))
        if (name === ADDRESSES && typeof member === "object" && member !== null)
          Object.values(member).forEach((item) => visit(item, true));
        else visit(member, ADDRESS.test(name));
  };
  visit(sources, false);
  return [...hosts];
}

/** null: no address of the web, but a file for example. */
function toHost(text: string): string | null {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return null;
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}
