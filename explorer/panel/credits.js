/** Credits of the data: always in sight, as the sources ask for it. */
import { byId, fill, h, link } from "../page/dom.js";

/** @param {import("../page/settings.js").Settings} settings */
export function createCredits(settings) {
  let drawn = "";
  return {
    /** @param {any[]} sources @param {any[]} calls @param {import("../data/items.js").Item[]} items */
    show(sources, calls, items) {
      const used = new Set(items.flatMap(sourcesOf));
      /** @type {Map<string, string | null>} */
      const credits = new Map();
      for (const source of sources) {
        const sky = source.operations.includes("getWeather") && !byId("weather").hidden;
        if (!used.has(source.id) && !sky) continue;
        if (
          source.attribution === null ||
          source.state === "unavailable" ||
          source.state === "disabled"
        )
          continue;
        const licence = source.licence === null ? "" : ` (${source.licence})`;
        credits.set(`${source.attribution}${licence}`, source.attribution_url);
      }
      for (const { body } of calls)
        for (const { display_name } of [
          ...(body?.attributions ?? []),
          ...(body?.attribution ? [body.attribution] : []),
        ])
          if (![...credits.keys()].some((text) => text.startsWith(display_name)))
            credits.set(display_name, null);
      const { style, cities, base } = settings;
      if (style === null && base)
        credits.set(`Map: ${base.attribution}`, "https://www.openstreetmap.org/copyright");
      if (style === null)
        credits.set("Outlines: Natural Earth", "https://www.naturalearthdata.com/");
      if (style === null && cities.length > 0) credits.set("Streets: simulated", null);
      const signature = [...credits.keys()].join("|");
      if (signature === drawn) return;
      drawn = signature;
      fill(
        byId("credits"),
        h(
          "p",
          { tabindex: "0" },
          [...credits].flatMap(([text, url], n) => [n === 0 ? null : " · ", link(text, url)]),
        ),
      );
    },
  };
}

/** Who had a part in a thing, by the ids of /v1/sources. @param {import("../data/items.js").Item} item @returns {string[]} */
function sourcesOf({ layer, raw }) {
  if (layer === "transit")
    return raw.sources.flatMap((/** @type {any} */ one) => [
      one.provider,
      `${one.provider}:${one.feed_id}`,
    ]);
  if (layer === "service")
    return [
      raw.source_id,
      ...(Array.isArray(raw.attributes.sources) ? raw.attributes.sources : []).map(
        (/** @type {any} */ one) => String(one?.source_id),
      ),
    ];
  return (raw.provenance ?? []).flatMap((/** @type {any} */ one) => [
    one.network_id,
    `${one.source}:${one.network_id}`,
    one.source_id.slice(0, one.source_id.lastIndexOf(":")),
  ]);
}
