/** A wish as one English sentence, for what chooses a tool by words. */
import type { Wish } from "./question.ts";

const SERVICES: Readonly<Record<string, string>> = {
  toilets: "toilet",
  aed: "defibrillator",
  parking: "car park",
  charging: "charger",
  locker: "parcel locker",
  wifi: "wifi",
  fountain: "fountain",
};
const MODES: Readonly<Record<string, string>> = { bicycle: "bike", car: "shared car" };

/** `place`: a name in quotes, or `lat, lon`. */
export function toSentence(wish: Wish, place: string): string {
  const words = [...describe(wish), `near ${place}`];
  if (wish.wheelchair === true) words.push("that a wheelchair can use");
  if (wish.step_free === true) words.push("by a way without steps");
  return `${words.join(" ")}?`;
}

function describe(wish: Wish): string[] {
  const mode = MODES[wish.mode ?? ""] ?? wish.mode ?? "";
  switch (wish.thing) {
    case "station":
      return wish.least_docks === undefined
        ? [`Which ${mode} station has at least ${wish.least_available ?? 1} ${mode}s`]
        : [
            `Where can I return my ${mode} at a ${mode} station with at least ${wish.least_docks} free docks`,
          ];
    case "vehicle":
      return [
        `Where is the nearest ${mode} I can take right now`,
        ...(wish.least_charge === undefined
          ? []
          : [`with more than ${Math.round(wish.least_charge * 100)} % battery`]),
      ];
    case "transit":
      return [`Where is the nearest ${mode} station`];
    case "departure":
      return [`When does the ${wish.departs ?? "next"} ${mode} leave`];
    default:
      return describeService(wish);
  }
}

function describeService(wish: Wish): string[] {
  if (wish.type === "drinking_water") return ["Where can I drink tap water"];
  return [
    `Where is the nearest ${SERVICES[wish.type ?? ""] ?? wish.type}`,
    ...(wish.open === true ? ["open now"] : []),
    ...(wish.fee === false ? ["free of charge"] : []),
    ...(wish.connector?.includes("COMBO") ? ["with CCS"] : []),
    ...(wish.least_kw === undefined ? [] : [`with at least ${wish.least_kw} kW`]),
    ...(wish.free === true ? ["and a free plug"] : []),
  ];
}
