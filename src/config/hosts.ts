/** The addresses that a configuration names, and their hosts. */

/** Members that hold an address, or addresses by country. */
const ADDRESS = /^(url|\w+_url|catalogue)$/;
const ADDRESSES = "countries";

/** `host:port`, each once. `tree` is the file before defaults are filled in. */
export function listHosts(tree: unknown): string[] {
  const { sources } = (tree ?? {}) as { sources?: unknown };
  const hosts = listUrls(sources).map(toHost);
  return [...new Set(hosts.filter((host) => host !== null))];
}

/** Every address of the operator's own that may be asked; those of GBFS systems are theirs. */
export function listAddresses(sources: object): string[] {
  return listUrls({ ...sources, gbfs: null }).filter((url) => URL.canParse(url));
}

/** Values of members that hold addresses: URLs or other texts. */
function listUrls(sources: unknown): string[] {
  const urls: string[] = [];
  const visit = (node: unknown, isAddress: boolean): void => {
    if (typeof node === "string") {
      if (isAddress) urls.push(node);
    } else if (Array.isArray(node)) node.forEach((item) => visit(item, false));
    else if (typeof node === "object" && node !== null)
      for (const [name, member] of Object.entries(node))
        if (name === ADDRESSES && typeof member === "object" && member !== null)
          Object.values(member).forEach((item) => visit(item, true));
        else visit(member, ADDRESS.test(name));
  };
  visit(sources, false);
  return urls;
}

/** null: no address of the web, but a file for example. */
function toHost(text: string): string | null {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return null;
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}
