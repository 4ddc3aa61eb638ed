/** The pages for people: `/`, `/docs`, `/status`. */
import { Type } from "typebox";
import { section } from "#config/schema-parts.ts";
import { closedObject, text } from "#providers/settings.ts";

export const ExplorerSchema = section(
  {
    enabled: Type.Boolean({
      default: true,
      description: "Whether the pages are served alongside the API.",
    }),
    offline: Type.Boolean({
      default: true,
      description:
        "Whether the map page keeps its files and last answers in the browser, to be shown without a network with their age; false: what browsers have kept is removed at their next visit.",
    }),
    style: text(
      "Address of a MapLibre style for the base map; null: the one that needs no network.",
      "http-url",
    ),
    style_hosts: Type.Array(Type.String({ format: "http-url" }), {
      default: [],
      description: "Further origins that the style's tiles, glyphs and sprites come from.",
    }),
    embed_origins: Type.Array(Type.String({ format: "web-origin" }), {
      default: [],
      maxItems: 100,
      description:
        "Origins whose pages may show /embed in a frame, such as https://example.org; none: no page may (docs/embed.md).",
    }),
    pmtiles: text(
      "File of vector tiles (PMTiles 3, with the layers of the Protomaps basemap or of OpenMapTiles) that is the map where no base covers; null: none.",
    ),
    start: Type.Union(
      [
        closedObject({
          lat: Type.Number({ minimum: -90, maximum: 90 }),
          lon: Type.Number({ minimum: -180, maximum: 180 }),
        }),
        Type.Null(),
      ],
      {
        default: null,
        description: "Where the map begins; null: in the sandbox its first city, else the world.",
      },
    ),
  },
  "The explorer: map, API reference and status page.",
);
