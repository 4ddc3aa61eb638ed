/** What the weather is, in words: short phrases after OpenWeatherMap's, in every language of §4.12a. */
import type { WeatherLanguage } from "#contract/weather.ts";
import { ar } from "#core/weather/texts/ar.ts";
import { bg } from "#core/weather/texts/bg.ts";
import { ca } from "#core/weather/texts/ca.ts";
import { cz } from "#core/weather/texts/cz.ts";
import { de } from "#core/weather/texts/de.ts";
import { el } from "#core/weather/texts/el.ts";
import { en } from "#core/weather/texts/en.ts";
import { es } from "#core/weather/texts/es.ts";
import { fa } from "#core/weather/texts/fa.ts";
import { fi } from "#core/weather/texts/fi.ts";
import { fr } from "#core/weather/texts/fr.ts";
import { gl } from "#core/weather/texts/gl.ts";
import { hr } from "#core/weather/texts/hr.ts";
import { hu } from "#core/weather/texts/hu.ts";
import { it } from "#core/weather/texts/it.ts";
import { ja } from "#core/weather/texts/ja.ts";
import { kr } from "#core/weather/texts/kr.ts";
import { la } from "#core/weather/texts/la.ts";
import { lt } from "#core/weather/texts/lt.ts";
import { mk } from "#core/weather/texts/mk.ts";
import { nl } from "#core/weather/texts/nl.ts";
import { pl } from "#core/weather/texts/pl.ts";
import { pt } from "#core/weather/texts/pt.ts";
import { ro } from "#core/weather/texts/ro.ts";
import { ru } from "#core/weather/texts/ru.ts";
import { se } from "#core/weather/texts/se.ts";
import { sk } from "#core/weather/texts/sk.ts";
import { sl } from "#core/weather/texts/sl.ts";
import { tr } from "#core/weather/texts/tr.ts";
import { ua } from "#core/weather/texts/ua.ts";
import { vi } from "#core/weather/texts/vi.ts";
import { zh_cn } from "#core/weather/texts/zh_cn.ts";
import { zh_tw } from "#core/weather/texts/zh_tw.ts";
import type { Texts } from "#core/weather/weather.ts";

export const TEXTS: Readonly<Record<WeatherLanguage, Texts>> = {
  ...{ ar, bg, ca, cz, de, el, en, fa, fi, fr, gl },
  ...{ hr, hu, it, ja, kr, la, lt, mk, nl, pl, pt },
  ...{ ro, ru, se, sk, sl, es, tr, ua, vi, zh_cn, zh_tw },
};

/**
 * The words for a code. English stands in where a language lacks one, which none does (the test
 * counts them), and the group where a code has no words at all.
 */
export function textOf(
  { id, main }: { id: number; main: string },
  language: WeatherLanguage,
): string {
  return TEXTS[language][id] ?? TEXTS.en[id] ?? main.toLowerCase();
}
