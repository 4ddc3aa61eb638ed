/** The pages of a deployment: their files, and what answers requests for them. */
import type { FindPlaceById } from "#app/nearby-one.ts";
import { createFindShared } from "#app/share/shared-thing.ts";
import { findOperation } from "#api/operations.ts";
import { NO_BUNDLE, readBundle } from "#http/pages/page-bundle.ts";
import { readFiles } from "#http/pages/page-files.ts";
import { buildPages, type Pages } from "#http/pages/page-site.ts";
import { TilePages } from "#http/pages/tile-pages.ts";
import { SharePages } from "#http/share/share-pages.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import { createBaseMaps } from "#upstream/bases/maps.ts";
import type { Sandbox } from "../../sandbox/main.ts";
import type { Inputs, Made } from "./parts/given.ts";

type Parts = Pick<Made, "pages" | "access" | "bases" | "tiles" | "whereabouts">;

/** The pages of this deployment, by its configuration and its mode; null: switched off. */
export function openPages(
  { options: { config, env, version }, log, onFault }: Inputs,
  sandbox: Sandbox | null,
  key: string | null,
): Pages | null {
  const { enabled, style, style_hosts, embed_origins, start, offline } = config.explorer;
  if (!enabled) return null;
  const plans = sandbox?.plans() ?? [];
  const [first] = plans;
  const first_city = first ? { lat: first.lat, lon: first.lon } : null;
  const pages = {
    mode: config.mode,
    version,
    style,
    style_hosts,
    embed_origins,
    start: start ?? first_city,
    cities: plans,
    salt: `${version} ${sandbox ? env.sandbox_seed : ""}`,
    weather: {
      now: findOperation("getWeather").path,
      forecast: findOperation("getForecast").path,
    },
    units: config.weather.units,
    offline,
    reference: { key, changelog: config.changelog.published },
  };
  const files = readFiles();
  // To change the pages, one needs the modules as they are.
  const bundle = env.is_watched ? NO_BUNDLE : readBundle(files, (line) => log.warn(line));
  return buildPages(pages, (error) => onFault("pages", error), { files, bundle });
}

/** null: switched off. */
export function servePages(
  { pages, access, bases, tiles, serving, clock, whereabouts, onFault }: Inputs & Parts,
  findPlace: FindPlaceById,
) {
  if (!pages) return null;
  const drawn = new TilePages(createBaseMaps(bases, tiles), {
    onFault: (error) => onFault("tiles", error),
    serving,
  });
  const share = new SharePages({
    find: createFindShared({ findPlace, timezones: whereabouts.timezones, clock }),
    tiles: drawn,
    now: clock.now,
    run: (steps) => runSteps(steps, createTurn({})),
    serving,
    onFault: (error) => onFault("pictures of links", error),
  });
  return { site: pages, gate: access.page_gate, tiles: drawn, share };
}
