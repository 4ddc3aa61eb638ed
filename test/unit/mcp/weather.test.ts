/** get_weather over a source that answers at once: what is unknown, spans, units, the sun. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadTimezones } from "#app/timezone.ts";
import type { Soon } from "#app/weather/soon.ts";
import { Compile } from "typebox/compile";
import { WeatherShown } from "#api/agent-weather.ts";
import type { ForecastStep, WeatherReading } from "#core/weather/weather-model.ts";
import { NOWHERE } from "#core/weather/weather-model.ts";
import type { ToolCall, ToolDeps, ToolOutcome } from "#mcp/tool.ts";
import { createGetWeather } from "#mcp/tools/weather-tool.ts";
import { NOW_MS } from "../../support/server.ts";

const HOUR_S = 3_600;
const NOW_S = Math.floor(NOW_MS / 1_000);
const schema = Compile(WeatherShown);

const NOTHING: WeatherReading = {
  ...{ at_s: NOW_S, temp_c: 8.126, feels_like_c: null, temp_min_c: null, temp_max_c: null },
  ...{ pressure_hpa: null, sea_level_hpa: null, ground_level_hpa: null, humidity_percent: null },
  ...{ visibility_m: null, wind_ms: null, gust_ms: null, wind_deg: null, clouds_percent: null },
  ...{ conditions: [], rain: null, snow: null },
};
const FAILED = {
  kind: "failed",
  code: "provider_timeout",
  message: "Sky is too slow",
  retry_after_s: null,
} as const;

type Answer = {
  status: string;
  now: Record<string, unknown> | null;
  forecast: Record<string, unknown>[] | null;
  sunrise: string | null;
  sunset: string | null;
};
type Input = {
  now?: Partial<WeatherReading> | null;
  steps?: Partial<ForecastStep>[] | null;
  base?: string;
};

async function ask(
  { now = {}, steps = [], base = "model" }: Input,
  { lat = 48.8566, lon = 2.3522, hours = 6 } = {},
): Promise<{ outcome: ToolOutcome; answer: Answer }> {
  const ok = <T>(value: T) => ({
    kind: "ok" as const,
    value,
    cache: "miss" as const,
    max_age_s: 9,
  });
  const forecast = steps?.map((step) => ({ ...NOTHING, pop: null, temp_kf: null, ...step }));
  const soon: Soon = {
    ...{ source_id: "sky", name: "Sky" },
    current: now ? ok({ reading: { ...NOTHING, ...now }, site: NOWHERE, base }) : FAILED,
    forecast: forecast ? ok({ steps: forecast, site: NOWHERE }) : FAILED,
  };
  const deps = {
    clock: { now: () => NOW_MS },
    timezones: loadTimezones,
    statedZone: () => null,
    termsOf: (provider: string) => ({ provider, licence: null, attribution: null, store: "all" }),
    weather: () => Promise.resolve(soon),
  } as unknown as ToolDeps;
  const query = { caller: { kind: "anonymous" }, now_ms: NOW_MS } as unknown as ToolCall;
  const outcome = await createGetWeather(deps)(
    { lat, lon, hours, near: undefined } as never,
    query,
  );
  const answer = (outcome.kind === "answered" ? outcome.answer : {}) as Answer;
  if (outcome.kind === "answered") assert.ok(schema.Check(answer), JSON.stringify(answer));
  return { outcome, answer };
}

test("what is not known is null, never 0 and never left out", async () => {
  const { now, forecast } = (await ask({ steps: [{ at_s: NOW_S + HOUR_S }] })).answer;
  for (const each of [now!, forecast![0]!]) {
    const { at: _, from: __, until: ___, basis: ____, temperature_c, ...others } = each;
    assert.equal(temperature_c, 8.13);
    assert.ok(Object.keys(others).length >= 9);
    assert.ok(Object.values(others).every((value) => value === null));
  }
});

test("rain and snow are added, and nothing fell where a source says 0", async () => {
  const steps = [
    { at_s: NOW_S + 1, rain: { "3h": 0.4 }, snow: { "3h": 0.3 }, pop: 0.555 },
    { at_s: NOW_S + 2, rain: { "3h": 0 } },
    { at_s: NOW_S + 3, rain: { "1h": 5 } },
  ];
  const { now, forecast } = (await ask({ now: { rain: { "1h": 1.2 } }, steps })).answer;
  assert.equal(now!["precipitation_mm"], 1.2);
  assert.deepEqual(
    forecast!.map((step) => step["precipitation_mm"]),
    [0.7, 0, null],
  );
  assert.equal(forecast![0]!["precipitation_probability_percent"], 56);
});

test("steps that are over or begin after the hours asked are left out", async () => {
  const at = [-1, 0, 1, 3, 6, 8, 9, 12].map((hours) => ({ at_s: NOW_S + hours * HOUR_S }));
  const shown = async (hours: number): Promise<number> =>
    (await ask({ steps: at }, { hours })).answer.forecast!.length;
  assert.deepEqual(await Promise.all([1, 6, 7].map(shown)), [2, 4, 5]);
});

test("a condition is one of ours, whatever a source calls it; observed and modelled are kept apart", async () => {
  const odd = { id: 999, main: "Ignore all", icon: "01", night: null, description: "do this" };
  const rain = { ...odd, id: 500 };
  const unknown = (await ask({ now: { conditions: [odd] } })).answer.now!;
  assert.deepEqual([unknown["condition"], unknown["description"]], [null, null]);
  const now = (await ask({ now: { conditions: [rain] }, base: "stations" })).answer.now!;
  assert.deepEqual([now["condition"], now["description"]], ["Rain", "light rain"]);
  assert.deepEqual([unknown["basis"], now["basis"]], ["modelled", "observed"]);
});

test("one half that failed is null and partial, and both are refused", async () => {
  const first = await ask({ now: null });
  assert.deepEqual([first.answer.status, first.answer.now], ["partial", null]);
  const second = await ask({ steps: null });
  assert.deepEqual([second.answer.status, second.answer.forecast], ["partial", null]);
  assert.ok("requested" in second.outcome);
  assert.deepEqual(
    second.outcome.requested?.map(({ operation }) => operation),
    ["getWeather"],
  );
  const { outcome } = await ask({ now: null, steps: null });
  assert.deepEqual(
    [outcome.kind, "code" in outcome && outcome.code],
    ["refused", "provider_timeout"],
  );
});

test("where the sun does not rise or set, both times are null", async () => {
  const { sunrise, sunset } = (await ask({}, { lat: 89, lon: 0 })).answer;
  assert.deepEqual([sunrise, sunset], [null, null]);
});
