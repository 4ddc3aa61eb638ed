/** What Photon's interface writes is what our own adapter for Photon reads (places.md 2.1, 11.1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { iso1A2Code } from "@rapideditor/country-coder";
import { createPhoton } from "#app/photon/photon-search.ts";
import { askBases } from "#app/places/base-geocoding.ts";
import type { Candidate } from "#osm/geocoder/candidate.ts";
import { toHeld } from "#upstream/bases/held-base.ts";
import { createTrail } from "#kit/trail.ts";
import { toName } from "#kit/coerce.ts";
import photonSource, { photonGeocoder } from "#providers/photon/index.ts";
import { toLookup } from "#providers/source.ts";
import { collect, extractPath, listExtracts } from "../../../support/base.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { sized } from "../../../support/size.ts";
import { openPacked, packExtract, packTown, townPoint } from "../../../support/town.ts";
import { QUERY, SETTINGS } from "../../providers/open-geocoding/support.ts";

const STATEMENT = { id: "town", data_at: null, licence: "ODbL-1.0", attribution: "" };
const PLACE = { country: null, near: null, prefix: true };
const geocode = toLookup(photonSource, photonGeocoder.geocode);

type Point = { lat: number; lon: number };
type PhotonRequest = { q: string } | Point;

function open(pack: Uint8Array) {
  const page = openPacked(pack);
  const base = { ...toHeld({ id: "town", version: "1", bytes: 0 }, page), statement: STATEMENT };
  const deps = { list: () => [base], gazetteer: () => null, isPending: () => false };
  const clock = createManualClock(0);
  const photon = createPhoton({ ...deps, clock });
  const ask = askBases({ ...deps, clock });
  const call = { signal: new AbortController().signal, keyed: false, freshness: null };
  return {
    base: page,
    async direct(request: PhotonRequest): Promise<Candidate[]> {
      const language = "en";
      const reply = await ("q" in request
        ? ask.geocode({ ...request, ...PLACE, language }, call)
        : ask.reverse({ ...request, language }, call));
      assert.equal(reply.status, "ok");
      return reply.status === "ok" ? reply.stored.value : [];
    },
    async read(request: PhotonRequest): Promise<Candidate[]> {
      const params = { ...request, lang: "en", limit: 5, ...("q" in request ? {} : { radius: 5 }) };
      const query = new URLSearchParams(Object.entries(params).map(([k, v]) => [k, String(v)]));
      const reply = await photon["q" in request ? "search" : "reverse"]({
        ...{ query, accepted_languages: undefined, deadline_ms: 3_000 },
      });
      assert.ok(reply.kind === "ok", JSON.stringify(reply));
      const wire = {
        ...{ status: 200, content_type: "application/json" },
        body: Buffer.from(JSON.stringify(reply.body)),
      };
      const read = geocode.read(wire, QUERY, {
        ...{ settings: SETTINGS, trail: createTrail() },
      });
      assert.ok(read.ok, JSON.stringify(read));
      return read.value;
    },
  };
}

/** Types of which the adapter says another: where Photon's tags do not explain a kind, it says less. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  unknown: ["poi", "locality", "street"],
  // A building with a name and a number.
  address: ["poi"],
};

const AREAS: ReadonlySet<string> = new Set([
  ...["country", "region", "city", "locality", "neighborhood"],
]);

function compare(direct: Candidate, read: Candidate | undefined, what: string): void {
  assert.ok(read, `${what}: missing`);
  assert.deepEqual(partsOf(read, direct), partsOf(direct, direct), what);
  if (OTHERWISE[read.type]?.includes(direct.type)) return;
  assert.equal(read.type, direct.type, what);
  // What is approximate as it leaves words unexplained is so in the answer of a base alone.
  // So is a thing that lies at what was asked for.
  const isAside = direct.match_quality === "geometric_center" && read.match_quality === "rooftop";
  const isBounded = isAside || (direct.match_quality === "approximate" && !AREAS.has(direct.type));
  if (!isBounded) assert.equal(read.match_quality, direct.match_quality, what);
}

function partsOf(
  { name, location, source_place_id, address }: Candidate,
  { type, address: { region } }: Candidate,
) {
  const { formatted: _, ...parts } = address;
  // Photon has no city in what is larger than one; where it has no state, a county is read as one.
  // The adapter cleans texts; what a base has of them is as it is on the map.
  const own = WIDE.includes(type)
    ? { ...parts, city: null, region: null }
    : region === null
      ? { ...parts, region }
      : address;
  return { name: toName(name), location, source_place_id, address: own };
}
const WIDE: readonly string[] = ["country", "region"];

const QUESTIONS = [
  ...["Hauptstrasse 1", "Hauptstrasse 5", "Hauptstrasse", "Ringweg 4a", "Bäckerei Sonne"],
  ...[
    "Apotheke am Ring",
    "Oberlinden",
    "Lindenland",
    "Kanton Linden",
    "Switzerland",
    "Neuquartier",
  ],
  ...["9999", "Lindenberg", "nothing of the kind"],
];

test("the town: every thing comes back as the base has it", async (t) => {
  const { direct, read } = open(await packTown(t));
  const types = new Set<string>();
  const qualities = new Set<string | undefined>();
  const requests: PhotonRequest[] = [
    ...QUESTIONS.map((q) => ({ q })),
    townPoint(11, 101),
    townPoint(905, 955),
  ];
  for (const each of requests) {
    const candidates = await direct(each);
    const again = await read(each);
    assert.equal(again.length, candidates.length, JSON.stringify(each));
    for (const [i, { base: _, ...candidate }] of candidates.entries()) {
      compare(candidate, again[i], `${JSON.stringify(each)} ${i}`);
      types.add(candidate.type);
      qualities.add(candidate.match_quality);
    }
  }
  const expected = ["address", "street", "city", "region", "country", "neighborhood", "locality"];
  for (const type of expected) assert.ok(types.has(type), `no ${type} was found`);
  assert.equal(qualities.size, 4, [...qualities].join(" "));
});

const extracts = listExtracts();
const lacks = extracts.length === 0 && "no extracts in ../shared/data/osm";
const SMALL = ["monaco-2023", ...sized([], ["helsinki-centre-2019", "liechtenstein-alabama-2021"])];

test("real extracts are there", { skip: lacks }, () => {
  for (const name of SMALL) assert.ok(extracts.includes(name), name);
});

for (const name of SMALL)
  test(`${name}: what is in it comes back as the base has it`, { skip: lacks }, async (t) => {
    const seen = collect({ node: ["name", "addr:housenumber"] });
    // As an import has it: a country without a code comes back with its name as its country.
    const pack = await packExtract(extractPath(name), [seen.section], (lat, lon) =>
      iso1A2Code([lon, lat]),
    );
    const { direct, read } = open(pack);
    const every = Math.ceil(seen.nodes.length / 400);
    const requests = seen.nodes
      .filter((_, i) => i % every === 0)
      .flatMap(({ tags, lat7, lon7 }): PhotonRequest[] => {
        const street = `${tags.get("addr:street") ?? ""} ${tags.get("addr:housenumber") ?? ""}`;
        return [{ q: tags.get("name") ?? street }, { lat: lat7 / 1e7, lon: lon7 / 1e7 }];
      })
      .filter((each) => !("q" in each) || each.q.trim() !== "");
    let compared = 0;
    for (const each of requests) {
      const candidates = await direct(each);
      const again = await read(each);
      for (const [i, { base: _, ...candidate }] of candidates.entries()) {
        compare(candidate, again[i], `${JSON.stringify(each)} ${i}`);
        compared++;
      }
    }
    assert.ok(compared > 500, `${compared} compared`);
    t.diagnostic(`${compared} candidates of ${requests.length} questions`);
  });
