/** Each check of the trial answers: what it lists is a fault of an answer. */
import { SERVICE_TYPES } from "../../sandbox/world/service-model.ts";
import { operatorsOf } from "../../sandbox/world/service-words.ts";

export type City = { name: string; lat: number; lon: number; radius: number };
export type Matches = { places: number; findings: Map<string, string[]> };

type Service = {
  service_type: string;
  name: string;
  external_id: string;
  source_id: string;
  attributes: Readonly<Record<string, unknown>>;
};
type Services = { status: string; results: Service[] };
type Candidate = { name: string; label: string; type: string };
type Geocoded = { results?: Candidate[] };
type Thing = {
  kind: string;
  service_type: string;
  distance_m: number;
  sources: { source: string; source_id: string }[];
};

type Answers = {
  all: Services;
  water: Services;
  aed: Services;
  locker: Services;
  reverse: Geocoded;
  local: Geocoded;
  truth: { things: Thing[] };
};

type Check = { title: string; list: (answers: Answers, city: City) => string[] };

/** Sources draw a thing at most so far from where it is. */
const PIN_M = 40;
const OPERATORS = new Set(
  SERVICE_TYPES.filter((type) => type !== "wifi").flatMap((type) => operatorsOf(type)),
);
/** Members that say in words where exactly a thing is. */
const NOTES = ["description", "directions", "comment", "location_note", "access_note"];

export const CHECKS: readonly Check[] = [
  {
    title: "a name that is only the operator's",
    list: ({ all }) =>
      all.results
        .filter(({ service_type, name }) => service_type !== "wifi" && OPERATORS.has(name))
        .map(show),
  },
  {
    title: "a name that is an address line or a direction",
    list: ({ all }) =>
      all.results
        .filter(({ name, attributes }) => {
          const address = attributes["address"];
          const isAddress = typeof address === "string" && address.split(", ", 1)[0] === name;
          return isAddress || address === name || NOTES.some((note) => attributes[note] === name);
        })
        .map(show),
  },
  {
    title: "a locker of the network without its code in the name",
    list: ({ all }) =>
      all.results
        .filter((item) => item.source_id === "inpost" && !item.name.includes(item.external_id))
        .map(show),
  },
  {
    title: "water not known to be potable that is called drinking water",
    list: ({ all, water }) =>
      [...all.results, ...water.results]
        .filter(({ name }) => name.startsWith("Drinking water"))
        .filter(({ attributes }) => attributes["drinking_water"] !== "yes")
        .map(show),
  },
  {
    title: "a service with one fact under two names, or two values",
    list: ({ all }) => all.results.filter(({ attributes }) => isDivided(attributes)).map(show),
  },
  {
    title: "an attribute with two types in one answer",
    list: ({ all }) => listMixed(all.results),
  },
  {
    title: "water known not to be potable among drinking_water",
    list: ({ all, water }) =>
      [...all.results, ...water.results]
        .filter(({ service_type }) => service_type === "drinking_water")
        .filter(({ attributes }) => attributes["drinking_water"] === "no")
        .map(show),
  },
  {
    title: "no locker, though a source knows one in the circle",
    list: (answers, city) => listEmpty(answers, city, "locker"),
  },
  {
    title: "no defibrillator, though a source knows one in the circle",
    list: (answers, city) => listEmpty(answers, city, "aed"),
  },
  {
    title: "a defibrillator in the circle that a source knows and the answer lacks",
    list: ({ aed, truth }, { radius }) => {
      const ids = new Set(aed.results.flatMap(idsOf));
      return known(truth, "aed", radius - PIN_M)
        .filter(({ sources }) => !sources.some(({ source_id }) => ids.has(source_id)))
        .map((thing) => JSON.stringify(thing));
    },
  },
  {
    title: "reverse geocoding that leads with a plus code",
    list: ({ reverse, local }) =>
      [reverse, local].flatMap(({ results = [] }) =>
        results[0] && isPlusCode(results[0]) && results.length > 1 ? [results[0].name] : [],
      ),
  },
  {
    title: "an address whose name is its whole line",
    list: ({ reverse, local }) =>
      [...(reverse.results ?? []), ...(local.results ?? [])]
        .filter(({ type, name, label }) => type === "address" && name === label)
        .map(({ name }) => name),
  },
];

function show({ service_type, name, attributes }: Service): string {
  return `${service_type} ${JSON.stringify(name)} ${JSON.stringify(attributes)}`;
}

function isPlusCode({ name }: Candidate): boolean {
  return /^[2-9CFGHJMPQRVWX]{4,8}\+[2-9CFGHJMPQRVWX]{2,3}\b/.test(name);
}

/** Names that mean one fact. */
const SAME: readonly (readonly string[])[] = [
  ["wheelchair", "accessible", "toilets:wheelchair"],
  ["indoor", "location_type"],
  ["level", "floor"],
  ["access", "free_access"],
  ["opening_hours", "open_24_7"],
];

function isDivided(attributes: Service["attributes"]): boolean {
  return SAME.some((names) => names.filter((name) => attributes[name] !== undefined).length > 1);
}

/** One value is known only once its type is: parking and charging list hours by contract (§2.4). */
function listMixed(results: readonly Service[]): string[] {
  const types = new Map<string, Set<string>>();
  for (const { service_type, attributes } of results)
    for (const [name, value] of Object.entries(attributes)) {
      const isFacility = service_type === "parking" || service_type === "charging";
      const key = name === "opening_hours" && isFacility ? "opening_hours (§2.4)" : name;
      types.set(key, (types.get(key) ?? new Set()).add(typeOf(value)));
    }
  return [...types].flatMap(([name, of]) => (of.size > 1 ? [`${name}: ${[...of].join()}`] : []));
}

/** "yes" and "no" are truth values in another form. */
function typeOf(value: unknown): string {
  return Array.isArray(value) ? "list" : typeof value;
}

function listEmpty(answers: Answers, { radius }: City, type: "aed" | "locker"): string[] {
  const other = known(answers.truth, type, radius - PIN_M);
  return answers[type].status === "empty" && other.length > 0 ? [`${other.length} there`] : [];
}

function known({ things }: Answers["truth"], type: string, within_m: number): Thing[] {
  return things.filter(
    ({ kind, service_type, distance_m, sources }) =>
      kind === "service" && service_type === type && distance_m <= within_m && sources.length > 0,
  );
}

/** Ids under which its sources know it. */
function idsOf({ external_id, attributes }: Service): string[] {
  const sources = (attributes["sources"] ?? []) as { external_id: string }[];
  return [external_id, ...sources.map((source) => source.external_id)];
}
