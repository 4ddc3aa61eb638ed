/** Credits of the data: "© n sources" in sight, which opens to all of them. */
import { byId, fill, h, link } from "../page/dom.js";
import { t } from "../page/texts.js";

/** @param {import("../page/settings.js").Settings} settings */
export function createCredits(settings) {
  let drawn = "";
  const list = byId("credits-list");
  return {
    /** @param {any[]} sources @param {any[]} calls @param {import("../data/items.js").Item[]} items */
    show(sources, calls, items) {
      const used = new Set(items.flatMap(sourcesOf));
      /** @type {Map<string, string | null>} */
      const credits = new Map();
      for (const source of sources) {
        const sky = source.operations.includes("getWeather") && !byId("weather").hidden;
        if (!used.has(source.id) && !sky) continue;
        const credit = creditOf(source);
        if (credit !== null) credits.set(credit, source.attribution_url);
      }
      for (const { body } of calls)
        for (const { display_name } of [
          ...(body?.attributions ?? []),
          ...(body?.attribution ? [body.attribution] : []),
        ])
          if (![...credits.keys()].some((text) => text.startsWith(display_name)))
            credits.set(display_name, null);
      const { style, cities, base } = settings;
      const isReal = style === null && base && !base.isSimulated;
      if (isReal)
        credits.set(
          t("credits.map", { name: base.attribution }),
          "https://www.openstreetmap.org/copyright",
        );
      if (style === null) {
        credits.set(
          t("credits.outlines", { name: "Natural Earth" }),
          "https://www.naturalearthdata.com/",
        );
        credits.set(
          t("credits.cities", { name: "GeoNames (CC BY 4.0)" }),
          "https://www.geonames.org/",
        );
      }
      if (style === null && cities.length > 0) credits.set(t("credits.simulated"), null);
      const signature = [...credits.keys()].join("|");
      if (signature === drawn) return;
      drawn = signature;
      const opener = h("button", { type: "button", popovertarget: "credits-list" });
      opener.textContent = t("credits.open", { n: credits.size });
      // The licence of OpenStreetMap wants its name on the map itself.
      const map = isReal ? link(base.attribution, "https://www.openstreetmap.org/copyright") : null;
      // A new element, since text that grows at the end of a line counts as a shift of the layout.
      fill(byId("credits"), h("div", {}, map, opener));
      fill(
        list,
        h("h2", {}, t("credits.title")),
        h(
          "ul",
          {},
          [...credits].map(([text, url]) => h("li", {}, h("bdi", {}, link(text, url)))),
        ),
      );
    },
  };
}

/** The attribution of a source with its licence, as /v1/sources has them; null: none, or nothing is read from it. @param {any} source @returns {string | null} */
export function creditOf({ attribution, licence, state }) {
  if (attribution === null || state === "unavailable" || state === "disabled") return null;
  return licence === null ? attribution : `${attribution} (${licence})`;
}

/** The sources of a thing, by the ids of /v1/sources. @param {import("../data/items.js").Item} item @returns {string[]} */
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
