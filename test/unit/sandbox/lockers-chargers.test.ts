// The simulated InPost, Open Charge Map and OCPI: what they list, and what must be seen through.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import type { PriceValue } from "#api/prices.ts";
import { createTrail } from "#kit/trail.ts";
import { ocpiLocations } from "#providers/ocpi/index.ts";
import { tariffOf } from "../../../sandbox/ocpi/tariffs.ts";
import { SETTINGS as OCPI_SETTINGS } from "../providers/ocpi/readers.ts";
import { type Row, start } from "./reader.ts";
import { type At, cityOf, metres, namedBy, servicesAt, upstreamOf } from "./services-reader.ts";

describe("InPost", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  const ask = async (query: string, path = "/v1/points") => {
    const answer = await fetch(`${upstreamOf(sandbox, "inpost")["url"]}${path}?${query}`);
    return { status: answer.status, body: (await answer.json()) as Row };
  };
  const near = ({ lat, lon }: At): string =>
    `relative_point=${lat},${lon}&max_distance=6000&sort_by=distance_to_relative_point&sort_order=asc`;
  const itemsOf = (body: Row): Row[] => body["items"] as Row[];
  const located = (item: Row): At => {
    const { latitude, longitude } = item["location"] as Record<string, number>;
    return { lat: latitude!, lon: longitude! };
  };
  const isTest = (item: Row): boolean => JSON.stringify(item["address_details"]).includes("TEST");

  test("operating lockers with a place are those of the truth, in four countries", async () => {
    for (const city of sandbox.cities()) {
      const truth = namedBy(await servicesAt(sandbox, city), "inpost");
      const { body } = await ask(`${near(city)}&per_page=500&type=parcel_locker&status=Operating`);
      const remaining = itemsOf(body).filter(
        (item) =>
          (item["type"] as string[]).includes("parcel_locker") &&
          !isTest(item) &&
          metres(located(item), city) < 7000,
      );
      assert.deepEqual(
        remaining.map((item) => String(item["name"])).toSorted(),
        [...truth.keys()].toSorted(),
      );
      assert.equal(truth.size > 0, ["PL", "GB", "FR", "ES"].includes(city.country), city.name);
      for (const item of remaining) {
        const { location } = truth.get(String(item["name"]))!;
        assert.ok(metres(located(item), location) <= 7);
        assert.ok(Math.abs(Number(item["distance"]) - metres(city, located(item))) < 3);
      }
    }
  });

  test("hours in every form, countries that are missing, no data on room", async () => {
    const forms = new Map<string, number>();
    for (const name of ["Warszawa", "London", "Paris", "Madrid"]) {
      const { body } = await ask(`${near(cityOf(sandbox, name))}&per_page=500`);
      for (const item of itemsOf(body)) {
        const hours = String(item["opening_hours"]);
        const form = hours === "24/7" ? hours : /\|-;/.test(hours) ? "three" : "two";
        for (const key of [
          form,
          item["country"] === undefined ? "no country" : "country",
          String((item["locker_availability"] as Row)["status"]),
        ])
          forms.set(key, (forms.get(key) ?? 0) + 1);
        const customer = (item["operating_hours_extended"] as Row)["customer"];
        assert.equal(customer === null, hours === "24/7");
        if (form !== "24/7") assert.match(hours, /^MON\|\d\d:\d\d-\d\d:\d\d(\|-)?;TUE\|/);
      }
    }
    for (const form of ["24/7", "two", "three", "no country", "NO_DATA"])
      assert.ok((forms.get(form) ?? 0) > 2, form);
  });
});

describe("Open Charge Map", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  const ask = (
    path: string,
    headers: Record<string, string> = { "x-api-key": "sandbox-ocm-key" },
  ) => fetch(`${upstreamOf(sandbox, "openchargemap")["url"]}${path}`, { headers });
  const poisAt = async ({ lat, lon }: At, more = "") =>
    (await (
      await ask(
        `/v3/poi?latitude=${lat}&longitude=${lon}&distance=6&distanceunit=KM&maxresults=500&compact=true&verbose=false${more}`,
      )
    ).json()) as Row[];
  const addressOf = (poi: Row): Row => poi["AddressInfo"] as Row;

  test("public points in service are those of the truth, nearest first", async () => {
    for (const city of sandbox.cities()) {
      const truth = namedBy(await servicesAt(sandbox, city), "openchargemap");
      const pois = await poisAt(city);
      const remaining = pois.filter(
        (poi) =>
          ![2, 3, 6].includes(Number(poi["UsageTypeID"])) &&
          ![150, 200, 210].includes(Number(poi["StatusTypeID"])),
      );
      assert.equal(pois.length - remaining.length, 6);
      assert.deepEqual(
        remaining.map(({ ID }) => `ocm/${String(ID)}`).toSorted(),
        [...truth.keys()].toSorted(),
      );
      const km = pois.map((poi) => Number(addressOf(poi)["Distance"]));
      assert.ok(km.every((each, i) => each >= (km[i - 1] ?? 0) && each <= 6));
      for (const poi of remaining) {
        const at = {
          lat: Number(addressOf(poi)["Latitude"]),
          lon: Number(addressOf(poi)["Longitude"]),
        };
        assert.ok(metres(at, truth.get(`ocm/${String(poi["ID"])}`)!.location) <= 11);
      }
    }
  });

  test("compact has numbers for names; the reference resolves all of them", async () => {
    const reference = (await (await ask("/v3/referencedata")).json()) as Record<string, Row[]>;
    const ids = (list: string) => new Set(reference[list]!.map(({ ID }) => ID));
    const seen = new Set<string>();
    for (const city of sandbox.cities())
      for (const poi of await poisAt(city)) {
        assert.deepEqual(
          [poi["OperatorInfo"], poi["StatusType"], addressOf(poi)["Country"]],
          [null, null, null],
        );
        if (poi["OperatorID"] !== null) assert.ok(ids("Operators").has(poi["OperatorID"]));
        assert.ok(ids("StatusTypes").has(poi["StatusTypeID"]));
        assert.ok(ids("UsageTypes").has(poi["UsageTypeID"]));
        assert.ok(ids("Countries").has(addressOf(poi)["CountryID"]));
        if (poi["Connections"] === null) seen.add("no connections");
        for (const each of (poi["Connections"] as Row[] | null) ?? []) {
          assert.ok(
            ids("ConnectionTypes").has(each["ConnectionTypeID"]),
            String(each["ConnectionTypeID"]),
          );
          if (each["Quantity"] === null) seen.add("no quantity");
          if (each["PowerKW"] === null) seen.add("no power");
          seen.add(`status ${String(each["StatusTypeID"])}`);
          seen.add(`type ${String(each["ConnectionTypeID"])}`);
        }
        if (!String(poi["DateLastStatusUpdate"]).endsWith("Z")) seen.add("no offset");
      }
    for (const each of ["no connections", "no quantity", "no power", "no offset"])
      assert.ok(seen.has(each), each);
    for (const status of [10, 20, 50, 100]) assert.ok(seen.has(`status ${status}`), String(status));
    for (const type of [1, 2, 25, 27, 32, 33, 1036])
      assert.ok(seen.has(`type ${type}`), String(type));
  });
});

type Evse = { uid: string; status: string; connectors: Row[]; last_updated: string };
type Location = Row & { evses: Evse[]; coordinates: Record<string, unknown> };

describe("OCPI", () => {
  let sandbox: Sandbox;
  let locations: Location[];
  const token = `Token ${btoa("sandbox-ocpi-token")}`;
  const ask = (url: string, authorization = token) => fetch(url, { headers: { authorization } });
  before(async () => {
    sandbox = await start();
    locations = await readAll(upstreamOf(sandbox, "ocpi")["url"]!);
  });
  after(() => sandbox.close());

  async function readAll(first: string): Promise<Location[]> {
    const result: Location[] = [];
    for (let next: string | undefined = first; next !== undefined;) {
      const answer = await ask(next);
      const body = (await answer.json()) as { data: Location[]; status_code: number };
      assert.equal(body.status_code, 1000);
      assert.ok(body.data.length <= 50);
      assert.equal(answer.headers.get("x-limit"), "50");
      result.push(...body.data);
      next = /^<(.+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
      if (next === undefined)
        assert.equal(answer.headers.get("x-total-count"), String(result.length));
    }
    return result;
  }

  const nameOf = (row: Row): string =>
    `${String(row["country_code"])}/${String(row["party_id"])}/${String(row["id"])}`;

  test("what is published, and its states, are those of the truth", async () => {
    const published = locations.filter(({ publish }) => publish === true);
    assert.equal(locations.length - published.length, sandbox.cities().length);
    const names = new Set<string>();
    const counts = { live: 0, silent: 0 };
    for (const city of sandbox.cities())
      for (const [name, thing] of namedBy(await servicesAt(sandbox, city), "ocpi")) {
        names.add(name);
        const row = published.find((each) => nameOf(each) === name);
        assert.ok(row, name);
        const { latitude, longitude } = row.coordinates;
        assert.equal(typeof latitude, "string");
        assert.ok(metres({ lat: Number(latitude), lon: Number(longitude) }, thing.location) <= 7);
        const standing = row.evses.filter(({ status }) => !["REMOVED", "PLANNED"].includes(status));
        const { connector_count, available_count, out_of_service_count } = thing.charging!;
        assert.equal(standing.length, connector_count, name);
        const count = (...statuses: string[]): number =>
          standing.filter(({ status }) => statuses.includes(status)).length;
        if (available_count === null) {
          assert.equal(count("UNKNOWN"), standing.length);
          counts.silent += 1;
          continue;
        }
        assert.equal(count("AVAILABLE"), available_count);
        assert.equal(count("INOPERATIVE", "OUTOFORDER"), out_of_service_count);
        counts.live += 1;
      }
    assert.deepEqual([...names].toSorted(), published.map(nameOf).toSorted());
    assert.ok(counts.live > 100 && counts.silent > 20, JSON.stringify(counts));
  });

  test("prices are those of the truth, by the tariffs that locations name", async () => {
    const { url, tariffs_url } = upstreamOf(sandbox, "ocpi");
    const bodies = [new Uint8Array(await (await ask(tariffs_url!)).arrayBuffer())];
    const all = new TextEncoder().encode(JSON.stringify({ data: locations }));
    const settings = { ...OCPI_SETTINGS, url: url! };
    const trail = createTrail();
    const places = [
      ...ocpiLocations.open(all, {
        settings,
        trail,
        companions: { bodies },
      })!,
    ];
    const seen = { per_kwh: 0, per_minute: 0, unlock: 0, none: 0 };
    for (const place of places) {
      const prices = place?.attributes["prices"] as PriceValue[] | undefined;
      if (!place || !prices) continue;
      const [country, party] = place.external_id.split("/") as [string, string];
      const truth = tariffOf({ country, party });
      const [price, ...others] = prices;
      assert.deepEqual(others, []);
      assert.equal(price!.currency, truth.currency);
      assert.equal(price!.per_kwh, truth.per_kwh);
      assert.equal(price!.per_minute, truth.per_hour === null ? null : truth.per_hour / 60);
      assert.equal(price!.unlock, truth.flat);
      assert.equal(price!.text, `Tariff of ${party}`);
      assert.equal(price!.has_fees, truth.per_kwh === null ? true : undefined);
      for (const name of ["per_kwh", "per_minute", "unlock"] as const)
        if (price![name] !== null) seen[name] += 1;
      if (price!.per_kwh === null) seen.none += 1;
    }
    assert.ok(
      Object.values(seen).every((count) => count > 0),
      JSON.stringify(seen),
    );
    const { repaired } = trail.toTrail();
    assert.deepEqual(
      repaired.find(({ reason }) => reason === "tariff_unusable"),
      { reason: "tariff_unusable", count: 2, examples: repaired.at(-1)!.examples },
    );
  });

  test("the slips of real feeds occur", () => {
    const evses = locations.flatMap((row) => row.evses);
    const connectors = evses.flatMap((evse) => evse.connectors);
    const statuses = new Set(evses.map(({ status }) => status));
    for (const status of [
      "AVAILABLE",
      "CHARGING",
      "RESERVED",
      "INOPERATIVE",
      "OUTOFORDER",
      "UNKNOWN",
      "PLANNED",
      "REMOVED",
    ])
      assert.ok(statuses.has(status), status);
    assert.ok(evses.some((evse) => evse.connectors.length === 0));
    const powers = connectors.map(({ max_electric_power: power }) => power);
    assert.ok(powers.includes(undefined) && powers.includes(22) && powers.includes(22_000));
    assert.ok(connectors.some(({ format }) => format === null));
    assert.ok(locations.some(({ country }) => country === "Polska"));
    assert.ok(locations.some(({ last_updated }) => !String(last_updated).endsWith("Z")));
    assert.ok(locations.some(({ name }) => name === undefined));
    assert.ok(
      locations.some(({ opening_times }) => (opening_times as Row)?.["twentyfourseven"] === true),
    );
  });
});
