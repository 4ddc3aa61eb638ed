/** One call in several tongues. */

export const LANGUAGES = ["URL", "curl", "TypeScript", "Python"];

/** Method of the typed client, by path. */
const METHODS = /** @type {Record<string, string>} */ ({
  "/v1/nearby": "nearby",
  "/v1/services/nearby": "services",
  "/v1/places/nearby": "places",
  "/v1/transport/nearby": "transport",
  "/v1/parking/nearby": "parking",
  "/v1/charging/nearby": "charging",
  "/v1/departures/nearby": "departures",
  "/v1/place-search": "searchPlaces",
  "/v1/reverse-geocode": "reverseGeocode",
  "/v1/geocode": "geocode",
  "/v1/sources": "sources",
});

/** @param {string} language @param {string} origin @param {string} target @param {{ path: string, query: Record<string, string | number | boolean> }} ask */
export function toSnippet(language, origin, target, ask) {
  const url = `${origin}${target}`;
  if (language === "curl") return `curl ${shell(url)}`;
  if (language === "TypeScript") return toTypeScript(origin, url, ask);
  if (language === "Python") return toPython(origin, ask);
  return url;
}

/** @param {string} text */
const shell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** @param {string} origin @param {string} url @param {{ path: string, query: Record<string, unknown> }} ask */
function toTypeScript(origin, url, { path, query }) {
  const method = METHODS[path];
  if (method === undefined)
    return `const reply = await fetch(${JSON.stringify(url)});\nconsole.log(await reply.json());`;
  const members = Object.entries(query).map(
    ([name, value]) => `  ${name}: ${JSON.stringify(value)},`,
  );
  const given = members.length === 0 ? "" : `{\n${members.join("\n")}\n}`;
  return [
    "// In a clone: npm pack ./packages/client. Here: npm install ./vicinity-client-1.1.0.tgz",
    'import { createClient } from "@vicinity/client";',
    "",
    `const client = createClient({ url: ${JSON.stringify(origin)} });`,
    `const reply = await client.${method}(${given});`,
    'if (reply.kind === "ok") console.log(reply.body);',
    "else console.error(reply);",
  ].join("\n");
}

/** @param {string} origin @param {{ path: string, query: Record<string, unknown> }} ask */
function toPython(origin, { path, query }) {
  const value = (/** @type {unknown} */ one) =>
    one === true ? '"true"' : one === false ? '"false"' : JSON.stringify(one);
  const members = Object.entries(query).map(
    ([name, one]) => `    ${JSON.stringify(name)}: ${value(one)},`,
  );
  const head = [
    "import json",
    "from urllib.parse import urlencode",
    "from urllib.request import urlopen",
    "",
  ];
  const url =
    members.length === 0
      ? [`url = ${JSON.stringify(origin + path)}`]
      : [
          "question = {",
          ...members,
          "}",
          `url = ${JSON.stringify(`${origin}${path}?`)} + urlencode(question)`,
        ];
  return [
    ...head,
    ...url,
    "with urlopen(url) as reply:",
    "    print(json.dumps(json.load(reply), indent=2))",
  ].join("\n");
}
