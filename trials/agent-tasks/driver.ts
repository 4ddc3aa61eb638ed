/**
 * A deterministic substitute for a model: it has tools/list, the members of answers that the output
 * schemas state, and a few words of English. It chooses a tool by the words of its description, fills
 * arguments by the names, values and units that the schemas state, pages on while an answer says that
 * there is more, and takes the first result that fits.
 */

export type Tool = {
  name: string;
  title?: string;
  description?: string;
  inputSchema: { properties?: Record<string, Schema>; required?: string[] };
};
type Schema = {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
};
type Result = Record<string, unknown>;
export type Answer = { isError: boolean; body: Record<string, unknown>; tokens: number };
export type Call = (name: string, input: Record<string, unknown>) => Promise<Answer>;

export type Solved = {
  tools: string[];
  tokens: number;
  /** The first result that fits what is wished; null: none does. */
  chosen: Result | null;
  /** Fits, but a wish of the question is not known of it. */
  unsure: boolean;
  last: Answer | null;
};

const CALLS_MAX = 5;

/** Common knowledge: other words for what tools name. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/\be-?bikes?\b|\belectric bikes?\b/gi, "electric bicycle"],
  [/\bbike stations?\b/gi, "bicycle docking station"],
  [/\bbikes?\b|\bbicycles\b/gi, "bicycle"],
  [/\bscooters\b/gi, "scooter"],
  [/\bmopeds\b/gi, "moped"],
  [/\bshared cars?\b/gi, "car mobility"],
  [/\btoilet\b|\brestroom\b|\bloo\b/gi, "toilets"],
  [/\bdefibrillators?\b/gi, "aed defibrillators"],
  [/\bcar parks?\b|\bpark my car\b/gi, "parking"],
  [/\bchargers?\b|\bcharge my car\b/gi, "charging"],
  [/\bparcel lockers?\b/gi, "locker"],
  [/\bdrink\b|\btap\b/gi, "drinking_water"],
  [/\bunderground\b|\bsubway\b/gi, "metro"],
  [/\btrains?\b/gi, "rail"],
  [/\brain\b|\bwarm\b|\bcold\b|\btemperature\b/gi, "weather"],
  [/\bleaves?\b|\bleaving\b|\bdeparture\b/gi, "departures"],
  [/\bcoordinates\b/gi, "coordinates geocode"],
  [/\bstep-free\b/gi, "wheelchair"],
  [/\bCCS\b/g, "ccs ccs1 ccs2 iec_62196_t2_combo"],
];

const IGNORED = new Set(
  "a an the is are of to in at on near nearest around by for where what which i we can my me find need take get next with and or here right now open usable free least more than there it that do does one some have has from this how who when public".split(
    " ",
  ),
);

const WORD = /[\p{L}\p{N}_]+/gu;
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(WORD) ?? []).filter((word) => !IGNORED.has(word));

/** What the question wishes, as a name of arguments and as a judgement of a result. */
type Wish = {
  /** Names of arguments that mean it, and the value. */
  name: RegExp;
  value: unknown;
  /** true, false, or null where the result does not say. */
  holds(result: Result): boolean | null;
};

export async function solve(question: string, tools: readonly Tool[], call: Call): Promise<Solved> {
  const reported = SYNONYMS.reduce((text, [from, to]) => text.replace(from, to), question);
  const place = placeOf(question);
  const words = new Set(
    wordsOf(reported.replace(place.text, " ").replace(/free of charge/gi, " ")),
  );
  const wishes = wishesOf(reported);
  const used: string[] = [];
  let tokens = 0;
  let last: Answer | null = null;
  const ask: Call = async (name, input) => {
    used.push(name);
    const answer = await call(name, input);
    tokens += answer.tokens + Math.ceil(JSON.stringify(input).length / 4);
    last = answer;
    return answer;
  };
  const end = (chosen: Result | null, unsure = false): Solved => {
    return { tools: used, tokens, chosen, unsure, last };
  };
  const tool = pickTool(
    tools
      .filter((each) => !needsResult(each))
      .filter((each) => place.all.length > 1 || !needsSeveral(each)),
    words,
  );
  if (!tool) return end(null);
  const source = await locate(tool, tools, place, ask);
  if (source === null) return end(null);
  Object.assign(source, argumentsOf(tool, words, wishes));
  for (let turn: Record<string, unknown> | null = source; turn && used.length < CALLS_MAX;) {
    const answer: Answer = await ask(turn === source ? tool.name : nextTool(tool, turn), turn);
    if (answer.isError) {
      // A name that may be several places: the one that is named so, or none.
      const intended = candidatesOf(answer.body).find(({ label }) => label.startsWith(place.name));
      if (!intended || turn !== source) return end(null);
      turn = { ...source, near: `${intended.lat}, ${intended.lon}` };
      continue;
    }
    const results = resultsOf(answer.body);
    const judged = results.map((result) => ({ result, fit: fitOf(result, wishes) }));
    const sure = judged.find(({ fit }) => fit === true);
    if (sure)
      return end(DETAIL.test(question) ? await readFull(sure.result, tools, ask) : sure.result);
    const next: Record<string, unknown> | null =
      nextOf(answer.body, turn) ?? widen(answer.body, turn);
    if (next === null) {
      const unsure = judged.find(({ fit }) => fit === null);
      return end(unsure?.result ?? null, unsure !== undefined);
    }
    turn = next;
  }
  return end(null);
}

/** Farther, where nothing was found and the answer says how far the radius may be. */
function widen(
  body: Answer["body"],
  turn: Record<string, unknown>,
): Record<string, unknown> | null {
  const most = /radius may be up to (\d+)/.exec(String(body["message"]))?.[1];
  if (most === undefined || body["status"] !== "empty" || "radius" in turn) return null;
  return { ...turn, radius: Number(most) };
}

/** Wishes that a list of results may have no room for. */
const DETAIL = /\b(link|code|connectors|details)\b/i;

/** The same result in full, by the tool that needs nothing but an id; null: it has none of it. */
async function readFull(result: Result, tools: readonly Tool[], ask: Call): Promise<Result | null> {
  const tool = tools.find(({ inputSchema: { required = [] } }) => required.join() === "id");
  if (!tool) return result;
  const { id, location } = result as { id?: unknown; location?: Candidate };
  const { isError, body } = await ask(tool.name, { id, lat: location?.lat, lon: location?.lon });
  return isError ? null : ((body["place"] ?? null) as Result | null);
}

/** The tool whose name, title and description have most of the words; rare words count more. */
function pickTool(tools: readonly Tool[], words: ReadonlySet<string>): Tool | undefined {
  const texts = tools.map((tool) => {
    const { name, title = "", description = "", inputSchema } = tool;
    // "For X use Y": what a tool is not for does not count for it.
    const own = description.replaceAll(/(?:^|(?<=[.;] ))[^.;]*\buse \w+[^.;]*[.;]?/gi, " ");
    const values = Object.values(inputSchema.properties ?? {})
      .flatMap(valuesOf)
      .join(" ");
    const names = new Set(wordsOf(`${name.replaceAll("_", " ")} ${title} ${values}`));
    return { tool, names, words: new Set([...names, ...wordsOf(own)]) };
  });
  const scored = texts.map(({ tool, words: own_words, names }) => {
    let score = 0;
    for (const word of words) {
      const having = texts.filter((each) => each.words.has(word)).length;
      if (own_words.has(word))
        score += Math.log(1 + texts.length / having) * (names.has(word) ? 2 : 1);
    }
    return { tool, score };
  });
  return scored.toSorted((a, b) => b.score - a.score)[0]?.tool;
}

const valuesOf = (schema: Schema): string[] => [
  ...(schema.enum ?? []).filter((value): value is string => typeof value === "string"),
  ...(schema.items ? valuesOf(schema.items) : []),
  ...(schema.anyOf ?? []).flatMap(valuesOf),
];

const isArray = (schema: Schema): boolean =>
  schema.type === "array" || (schema.anyOf ?? []).some(isArray);

type Place = {
  text: string;
  at: { lat: number; lon: number } | null;
  name: string;
  /** Every coordinate of the question, as text. */
  all: string[];
};

/** The first coordinate, or the name after the last "near", "at" or "around". */
function placeOf(question: string): Place {
  const points = [...question.matchAll(/(-?\d{1,2}\.\d+), ?(-?\d{1,3}\.\d+)/g)];
  const [point] = points;
  if (point) {
    const at = { lat: Number(point[1]), lon: Number(point[2]) };
    return { text: point[0], name: point[0], at, all: points.map(([text]) => text) };
  }
  const match = /.*\b(?:near|at|around|of) “([^”]+)”/.exec(question);
  return { text: match?.[1] ?? "\u0000", name: match?.[1] ?? "", at: null, all: [] };
}

/** A tool of several places is of no use to a question of one. */
function needsSeveral({ inputSchema: { required = [] } }: Tool): boolean {
  return required.includes("places") || (required.includes("from") && required.includes("to"));
}

/** What needs the id of a result can only come after one; a dataset can be made first. */
function needsResult({ inputSchema: { required = [] } }: Tool): boolean {
  return required.includes("id") && !required.includes("version");
}

/** Where it is asked: by `near` if the tool has it, else by coordinates, looked up if need be. */
async function locate(tool: Tool, tools: readonly Tool[], place: Place, ask: Call) {
  const has = tool.inputSchema.properties ?? {};
  if ("version" in has && !("lat" in has)) return findEarlier(tool, tools, place, ask);
  if ("q" in has) return { q: place.name };
  const [first, second] = place.all;
  if ("from" in has && "to" in has) return second ? { from: first, to: second } : null;
  if ("places" in has) return { places: place.all };
  if (place.at && "lat" in has) return { ...place.at };
  if ("near" in has) return { near: place.name };
  const finder = tools.find(({ inputSchema }) => "q" in (inputSchema.properties ?? {}));
  if (!finder || place.name === "") return null;
  const answer = await ask(finder.name, { q: place.name });
  const at = resultsOf(answer.body)[0]?.["location"];
  return at ? { ...at } : null;
}

/** A tool that goes on from a dataset needs one: of the search that its description names. */
async function findEarlier(
  { description = "" }: Tool,
  tools: readonly Tool[],
  place: Place,
  ask: Call,
): Promise<Record<string, unknown> | null> {
  const first = tools.find(
    ({ name, inputSchema }) =>
      description.includes(name) && "lat" in (inputSchema.properties ?? {}),
  );
  if (!first || !place.at) return null;
  const { body } = await ask(first.name, { ...place.at });
  const { id, version } = (body["dataset"] ?? {}) as { id?: string; version?: string };
  return id === undefined || version === undefined ? null : { id, version };
}

function argumentsOf(tool: Tool, words: ReadonlySet<string>, wishes: readonly Wish[]) {
  const input: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
    const values = valuesOf(schema);
    const wish = wishes.find((each) => each.name.test(name));
    const isTaken = values.length === 0 || values.includes(textOf(wish?.value));
    if (wish && isTaken)
      input[name] = isArray(schema) && !Array.isArray(wish.value) ? [wish.value] : wish.value;
    else if (isArray(schema)) {
      const named_values = values.filter((value) => words.has(value.toLowerCase()));
      if (named_values.length > 0) input[name] = named_values;
    } else if (name === "intent")
      input[name] = words.has("return") || words.has("docks") ? "return" : "pickup";
  }
  // A wish may be no argument of this tool: then results are judged by it.
  for (const name of Object.keys(input))
    if (!(name in (tool.inputSchema.properties ?? {}))) delete input[name];
  return input;
}

function wishesOf(text: string): Wish[] {
  const wishes: Wish[] = [];
  const add = (pattern: RegExp, to: (matches: RegExpExecArray) => Wish): void => {
    const match = pattern.exec(text);
    if (match) wishes.push(to(match));
  };
  const least = (path: string, bound: number) => (result: Result) => {
    const value = read(result, path);
    return typeof value === "number" ? value >= bound : null;
  };
  add(/open now|usable now/i, () => ({
    name: /^usable$/,
    value: "now",
    holds: (result) => {
      const state = read(result, "attributes.usable.state");
      return state === "open" ? true : state === "closed" ? false : null;
    },
  }));
  add(/wheelchair/i, () => ({
    name: /^wheelchair$/,
    value: "yes",
    holds: (result) => {
      const value = read(result, "wheelchair") ?? read(result, "attributes.wheelchair");
      return value === "yes" ? true : value === "no" ? false : null;
    },
  }));
  add(/within (\d+) minutes on foot/i, ([, n]) => ({
    name: /^within_minutes$/,
    value: Number(n),
    holds: ({ walk_minutes: minutes }) =>
      typeof minutes === "number" ? minutes <= Number(n) : null,
  }));
  add(/way without steps/i, () => ({
    name: /^profile$/,
    value: "step_free",
    // A way that is found has no known step; one of which that is not certain is as good as it gets.
    holds: ({ walk_minutes: minutes }) => (typeof minutes === "number" ? true : null),
  }));
  add(/free of charge/i, () => ({
    name: /^fee$/,
    value: "no",
    holds: (result) => {
      const value = read(result, "attributes.fee");
      return typeof value === "boolean"
        ? !value
        : value === "no"
          ? true
          : value === "yes"
            ? false
            : null;
    },
  }));
  add(/at least (\d+) (?:bicycle|scooter|car|vehicle)/i, ([, n]) => ({
    name: /^min_vehicles$/,
    value: Number(n),
    holds: least("availability.vehicles", Number(n)),
  }));
  add(/at least (\d+) (?:free )?docks/i, ([, n]) => ({
    name: /^min_docks$/,
    value: Number(n),
    holds: least("availability.docks", Number(n)),
  }));
  add(/more than (\d+) ?% battery/i, ([, n]) => ({
    name: /^min_battery$/,
    value: Number(n),
    holds: least("battery", Number(n)),
  }));
  add(/at least (\d+) kW/i, ([, n]) => ({
    name: /^min_kw$/,
    value: Number(n),
    holds: (result) => {
      const all = connectorsOf(result).map(({ power_kw }) => power_kw);
      return all.some((kw) => kw >= Number(n))
        ? true
        : all.includes(Number.NaN) || all.length === 0
          ? null
          : false;
    },
  }));
  add(/\bccs\b/i, () => ({
    name: /^connector$/,
    value: "ccs",
    holds: (result) => {
      const all = connectorsOf(result);
      return all.length === 0 ? null : all.some(({ standard }) => isCcs(standard));
    },
  }));
  add(/free plug/i, () => ({
    name: /^usable$/,
    value: "now",
    holds: (result) => {
      const all = connectorsOf(result).filter(
        ({ standard }) => !/\bccs\b/i.test(text) || isCcs(standard),
      );
      if (all.some(({ free }) => (free ?? 0) > 0)) return true;
      return all.length === 0 || all.some(({ free }) => free === null) ? null : false;
    },
  }));
  return wishes;
}

const isCcs = (standard: string): boolean => /ccs|combo/i.test(standard);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function connectorsOf(
  result: Result,
): { standard: string; power_kw: number; free: number | null }[] {
  const match = read(result, "attributes.charging.connectors");
  return (Array.isArray(match) ? match : []).map((each: Result) => ({
    standard: textOf(each["type"] ?? each["standard"]),
    free: typeof each["available_count"] === "number" ? each["available_count"] : null,
    power_kw: Number(each["max_kw"] ?? each["power_kw"] ?? Number.NaN),
  }));
}

/** true: it is all that is wished; null: a wish is not known of it. */
function fitOf(result: Result, wishes: readonly Wish[]): boolean | null {
  if (result["status"] === "skipped" || result["status"] === "cancelled") return false;
  // A counted wish is about stations, a level about vehicles.
  const verdicts = wishes.map((wish) => wish.holds(result));
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) ? null : true;
}

function read(value: unknown, path: string): unknown {
  let at = value;
  for (const part of path.split("."))
    at = (at as Record<string, unknown> | undefined | null)?.[part];
  return at;
}

function resultsOf(body: Record<string, unknown>): Result[] {
  const match = body["results"] ?? body["options"] ?? body["candidates"];
  return Array.isArray(match)
    ? (match as Result[])
    : Object.keys(body).length > 0 && !match
      ? [body]
      : [];
}

/** What the answer says of going on: an offset of the same tool, or a dataset. */
function nextOf(body: Record<string, unknown>, input: Record<string, unknown>) {
  const dataset = (
    input["version"] ? { ...input, ...(body["dataset"] as object) } : body["dataset"]
  ) as { id: string; version: string; next_offset: number | null } | undefined;
  if (dataset?.next_offset != null)
    return { id: dataset.id, version: dataset.version, offset: dataset.next_offset };
  for (const name of ["next_offset", "next_cursor"]) {
    const value = body[name];
    if (value !== null && value !== undefined)
      return { ...input, [name.replace("next_", "")]: value };
  }
  return null;
}

type Candidate = { label: string; lat: number; lon: number };

function candidatesOf(body: Record<string, unknown>): Candidate[] {
  const error = body["error"] as { candidates?: unknown } | undefined;
  const match = body["candidates"] ?? error?.candidates;
  return Array.isArray(match) ? match : [];
}

const nextTool = (tool: Tool, turn: Record<string, unknown>): string =>
  "version" in turn ? "read_dataset" : tool.name;
