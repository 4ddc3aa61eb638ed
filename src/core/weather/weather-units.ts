/** Conversion from °C and m/s to the units of the deployment (decisions, Legacy routes), rounded. */
import type { WeatherUnits } from "#api/weather.ts";

export type Units = {
  name: WeatherUnits;
  temperature(celsius: number): number;
  /** A difference of temperatures. */
  warmth(celsius: number): number;
  speed(metres_per_second: number): number;
};

const KELVIN = 273.15;
const FAHRENHEIT = { zero: 32, per_celsius: 1.8 };
/** International mile, 1,609.344 m. */
const MPH_PER_MS = 3_600 / 1_609.344;

export const UNITS: Readonly<Record<WeatherUnits, Units>> = {
  metric: {
    name: "metric",
    temperature: toHundredths,
    warmth: toHundredths,
    speed: toHundredths,
  },
  standard: {
    name: "standard",
    temperature: (celsius) => toHundredths(celsius + KELVIN),
    warmth: toHundredths,
    speed: toHundredths,
  },
  imperial: {
    name: "imperial",
    temperature: (celsius) => toHundredths(celsius * FAHRENHEIT.per_celsius + FAHRENHEIT.zero),
    warmth: (celsius) => toHundredths(celsius * FAHRENHEIT.per_celsius),
    speed: (ms) => toHundredths(ms * MPH_PER_MS),
  },
};

export function fromKelvin(kelvin: number): number {
  return toHundredths(kelvin - KELVIN);
}

/** "+ 0" makes 0 of -0. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
