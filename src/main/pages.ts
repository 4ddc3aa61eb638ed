/** The pages of this deployment: what its configuration and its mode make of them. */
import type { Sandbox } from "../../sandbox/main.ts";
import { listOperations } from "#contract/operations.ts";
import { buildPages, type Pages } from "#http/pages/site.ts";
import type { ServiceOptions } from "./engine.ts";

export function openPages(
  { config, env, version }: Pick<ServiceOptions, "config" | "env" | "version">,
  sandbox: Sandbox | null,
): Pages | null {
  const { enabled, style, style_hosts, start } = config.explorer;
  if (!enabled) return null;
  const plans = sandbox?.plans() ?? [];
  const [first] = plans;
  const there = first ? { lat: first.lat, lon: first.lon } : null;
  return buildPages({
    ...{ mode: config.mode, version, style, style_hosts, start: start ?? there },
    cities: plans,
    salt: `${version} ${sandbox ? env.sandbox_seed : ""}`,
    ...{ weather: findWeather(), units: config.weather.units },
  });
}

/** The operation that tells the weather of a point, by its path. */
function findWeather(): string | null {
  const paths = listOperations().map(({ path }) => path);
  return paths.find((path) => path.includes("{coords}/weather/{lang}")) ?? null;
}
