// What the simulated OpenWeatherMap calls the skies of this world, by its own codes and languages.
import type { Sky } from "../world/weather.ts";
import { DESCRIPTIONS, IDS } from "./descriptions.ts";

const CODES: Readonly<Record<Sky["kind"], readonly number[]>> = {
  clouds: [800, 801, 802, 803, 804],
  fog: [741],
  rain: [500, 501, 502],
  showers: [520, 521, 522],
  snow: [600, 601, 602],
  thunder: [200, 201, 202],
};
const LOOKS: Readonly<Record<Sky["kind"], readonly [main: string, icons: readonly string[]]>> = {
  clouds: ["Clouds", ["01", "02", "03", "04", "04"]],
  fog: ["Fog", ["50"]],
  rain: ["Rain", ["10", "10", "10"]],
  showers: ["Rain", ["09", "09", "09"]],
  snow: ["Snow", ["13", "13", "13"]],
  thunder: ["Thunderstorm", ["11", "11", "11"]],
};
const CLEAR = 800;

/** One entry of `weather`; a language that it does not know is English to it. */
export function printSky({ kind, level }: Sky, day: boolean, lang: string): unknown {
  const id = CODES[kind][level] ?? CLEAR;
  const [main, icons] = LOOKS[kind];
  const texts = (DESCRIPTIONS[lang.toLowerCase()] ?? DESCRIPTIONS["en"] ?? "").split("|");
  return {
    id,
    main: id === CLEAR ? "Clear" : main,
    description: texts[IDS.indexOf(id)],
    icon: `${icons[level] ?? "01"}${day ? "d" : "n"}`,
  };
}
