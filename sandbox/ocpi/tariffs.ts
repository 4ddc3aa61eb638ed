// Tariffs of the simulated charge point operators, one each, and what one costs in truth.
import { partyOf } from "../listing.ts";
import { hashText } from "../rng.ts";
import type { ServiceThing } from "../world/service-model.ts";

/** What is charged; null: not in one number. */
export type TrueTariff = {
  readonly currency: string;
  readonly per_kwh: number | null;
  readonly per_hour: number | null;
  readonly flat: number | null;
};

const id = (party: string): string => `T-${party}`;
export const tariffIdOf = (thing: ServiceThing): string => id(partyOf(thing).party);

type Party = { readonly country: string; readonly party: string };

/** What an operator charges, the same at all of its stations in one country. */
export function tariffOf({ country, party }: Party): TrueTariff {
  const key = hashText(`${country}/${party}`);
  return {
    currency: country === "PL" ? "PLN" : "EUR",
    // Some charge more by day.
    per_kwh: isByDay(key) ? null : (30 + (key % 40)) / 100,
    per_hour: key % 4 === 0 ? 6 : null,
    flat: key % 5 === 0 ? 0.5 : null,
  };
}

const isByDay = (key: number): boolean => key % 3 === 0;

export function listTariffs(stations: readonly ServiceThing[]): readonly unknown[] {
  const parties = stations.map(partyOf);
  const rows = parties.map((each) => [`${each.country}/${each.party}`, toRow(each)] as const);
  // A row that is none, and one that has no id.
  return [...new Map(rows).values(), null, { currency: "EUR", elements: [] }];
}

function toRow({ country, party }: Party): unknown {
  const { currency, per_kwh, per_hour, flat } = tariffOf({ country, party });
  const price = (type: string, amount: number | null, step_size: number): unknown[] =>
    amount === null ? [] : [{ type, price: amount, vat: 20, step_size }];
  const day = { start_time: "08:00", end_time: "20:00" };
  const energy = [0.5, 0.3].map((amount, n) => ({
    price_components: price("ENERGY", amount, 1),
    ...(n === 0 ? { restrictions: day } : {}),
  }));
  const steady = [
    ...price("ENERGY", per_kwh, 1),
    ...price("TIME", per_hour, 60),
    ...price("FLAT", flat, 1),
  ];
  return {
    ...{ country_code: country, party_id: party, id: id(party), currency },
    tariff_alt_text: [
      { language: "de", text: `Tarif von ${party}` },
      { language: "en", text: `Tariff of ${party}` },
    ],
    tariff_alt_url: `https://tariffs.example/${party}`,
    elements: [
      ...(per_kwh === null ? energy : []),
      ...(steady.length > 0 ? [{ price_components: steady }] : []),
    ],
    last_updated: "2026-01-01T00:00:00Z",
  };
}
