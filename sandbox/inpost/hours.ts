// Opening hours as InPost writes them: "24/7", or day by day with two or three fields and in minutes.
import type { ServiceThing } from "../world/service-model.ts";

const DAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

type Minutes = readonly [from: number, to: number];

/** Open at, by day of the week; null: shut. */
function weekOf(opening_hours: string | null): readonly (Minutes | null)[] | null {
  if (opening_hours === null || opening_hours === "24/7") return null;
  if (opening_hours.startsWith("Mo-Su")) return DAYS.map(() => [360, 1320]);
  return DAYS.map((_, day) => (day < 5 ? [480, 1200] : day === 5 ? [540, 1080] : null));
}

export function hoursOf({ opening_hours, key }: ServiceThing): Record<string, unknown> {
  const week = weekOf(opening_hours);
  if (week === null)
    return {
      opening_hours: "24/7",
      location_247: true,
      operating_hours_extended: { customer: null },
    };
  const third = key % 2 === 0 ? "|-" : "";
  const texts = week.map((day, n) => {
    const name = DAYS[n]?.slice(0, 3).toUpperCase() ?? "";
    return `${name}|${day === null ? "-" : day.map(clock).join("-")}${third};`;
  });
  const customer = week.map((day, n) => [
    DAYS[n],
    day === null ? [] : [{ start: day[0], end: day[1] }],
  ]);
  return {
    opening_hours: texts.join(""),
    location_247: false,
    operating_hours_extended: { customer: Object.fromEntries(customer) },
  };
}

const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
