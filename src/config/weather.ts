/** Which sources of weather a deployment has, and which of them is asked: as with places. */
import { Value } from "typebox/value";
import type { Static } from "typebox";
import type { WeatherUnits } from "#contract/weather.ts";
import type { Variables } from "#config/env.ts";
import type { RunMode } from "#config/load.ts";
import type { ConfigFile } from "#config/schema.ts";
import { WEATHER_SCHEMAS, type WeatherSourceName } from "#config/schema-weather.ts";

type Sources = {
  [N in WeatherSourceName]: Static<(typeof WEATHER_SCHEMAS)[N]> & { simulated: boolean };
};
export type SettledWeather = Sources & {
  units: WeatherUnits;
  /** null: whoever is able to, in the order of the decision. */
  source: WeatherSourceName | null;
};

/** Keys that switch a source on where no file was written. */
const KEYS: Partial<Record<WeatherSourceName, string>> = {
  openweathermap: "OPENWEATHERMAP_API_KEY",
};

type From = { mode: RunMode; variables: Variables; own_file: boolean };

export function settleWeather({ sources, weather }: ConfigFile, from: From): SettledWeather {
  const names = Object.keys(WEATHER_SCHEMAS) as WeatherSourceName[];
  const settled = names.map((name) => [name, settle(sources, name, from)]);
  const { units, source = null } = weather;
  return { ...(Object.fromEntries(settled) as Sources), units, source };
}

function settle(
  sources: ConfigFile["sources"],
  name: WeatherSourceName,
  { mode, variables, own_file }: From,
): unknown {
  const sandbox = mode === "sandbox";
  const stated = sources[name];
  if (stated) return { ...stated, simulated: sandbox };
  const key = own_file || sandbox ? "" : (variables[KEYS[name] ?? ""] ?? "");
  const given = { enabled: sandbox || key !== "", ...(key === "" ? {} : { api_key: key }) };
  return { ...(Value.Default(WEATHER_SCHEMAS[name], given) as object), simulated: sandbox };
}
