/** Texts of weather conditions: short phrases after OpenWeatherMap's, in every language of §4.12a. */
import type { WeatherLanguage } from "#api/weather.ts";
import type { WeatherTexts } from "#core/weather/weather-model.ts";
import texts from "./texts.json" with { type: "json" };

export const TEXTS: Readonly<Record<WeatherLanguage, WeatherTexts>> = texts;

/**
 * The words for a code. English is used where a language lacks one, which none does (the test
 * counts them), and the group where a code has no words at all.
 */
export function weatherText(
  { id, main }: { id: number; main: string },
  language: WeatherLanguage,
): string {
  return TEXTS[language][id] ?? TEXTS.en[id] ?? main.toLowerCase();
}
