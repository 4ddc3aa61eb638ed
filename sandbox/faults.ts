// Which fault a request meets. Rules stay until they are replaced; a part of a source (one system)
// comes before the whole source, a rule with a path before one without.
export const FAULT_KINDS = [
  "none",
  "timeout",
  "slow",
  "http_500",
  "http_429",
  "http_401",
  "garbage",
  "truncated",
  "empty",
  "huge",
  "reset",
] as const;

/** What only a source of live data can do: its time stops, its trips are of last week or of another version. */
export const LIVE_FAULT_KINDS = [
  "stalled",
  "last_week",
  "wrong_trips",
  "future",
  "no_entities",
] as const;
export type LiveFaultKind = (typeof LIVE_FAULT_KINDS)[number];

/** No failure: what is answered is whole, and its texts are hostile. */
const TEXT_FAULT_KIND = "hidden_text";

export type FaultKind = (typeof FAULT_KINDS)[number] | LiveFaultKind | typeof TEXT_FAULT_KIND;
const ALL_KINDS: readonly FaultKind[] = [...FAULT_KINDS, ...LIVE_FAULT_KINDS, TEXT_FAULT_KIND];

export type Fault = {
  readonly fault: FaultKind;
  readonly path?: string;
  readonly delay_ms: number;
  readonly rate: number;
};

type FaultRule = Fault & {
  readonly source: string;
  readonly matched: number;
  readonly hit: number;
};

export type Faults = {
  put(source: string, fault: Fault): void;
  clear(): void;
  list(): FaultRule[];
  /** The fault for a request to a source, known by its names from the narrowest to the widest. */
  strike(names: readonly string[], target: string): Fault | undefined;
};

const DEFAULT_DELAY_MS = 1000;
const MAX_DELAY_MS = 600_000;

export function createFaults(): Faults {
  const rules = new Map<string, FaultRule>();
  return {
    put(source, fault) {
      if (fault.fault === "none" && fault.path === undefined) forget(rules, source);
      rules.set(`${source}\n${fault.path ?? ""}`, { ...fault, source, matched: 0, hit: 0 });
    },
    clear: () => rules.clear(),
    list: () =>
      [...rules.values()].filter(
        (rule) => rule.fault !== "none" || rule.path !== undefined || rule.source.includes(":"),
      ),
    strike: (names, target) => strike(rules, names, target),
  };
}

function forget(rules: Map<string, FaultRule>, source: string): void {
  for (const [key, rule] of rules) if (rule.source === source) rules.delete(key);
}

function strike(
  rules: Map<string, FaultRule>,
  names: readonly string[],
  target: string,
): Fault | undefined {
  for (const name of names) {
    const candidates = [...rules].filter(
      ([, rule]) => rule.source === name && target.includes(rule.path ?? ""),
    );
    const longestFirst = candidates.toSorted(
      ([, a], [, b]) => (b.path?.length ?? 0) - (a.path?.length ?? 0),
    );
    for (const [key, rule] of longestFirst) {
      const hits = isHit(rule);
      rules.set(key, { ...rule, matched: rule.matched + 1, hit: rule.hit + (hits ? 1 : 0) });
      if (hits) return rule.fault === "none" ? undefined : rule;
    }
  }
  return undefined;
}

/** Of any n requests in a row, the rate's share is hit, and always the same ones. */
const isHit = ({ matched, rate }: FaultRule): boolean =>
  Math.floor((matched + 1) * rate + 1e-9) > Math.floor(matched * rate + 1e-9);

export type Parsed =
  | { readonly fault: Fault }
  | { readonly member: string; readonly message: string };

/** The body of PUT /__sandbox/faults/<source>, strictly. */
export function parseFault(body: string): Parsed {
  const value = parseJson(body);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return wrong("body", "must be a JSON object");
  const input: Record<string, unknown> = { ...value };
  for (const member of Object.keys(input)) {
    const check = MEMBERS[member];
    if (check === undefined)
      return wrong(member, `is unknown; use ${Object.keys(MEMBERS).join(", ")}`);
    if (!check.accepts(input[member])) return wrong(member, check.wants);
  }
  const kind = ALL_KINDS.find((candidate) => candidate === input["fault"]);
  if (kind === undefined) return wrong("fault", MEMBERS["fault"]?.wants ?? "");
  return { fault: toFault(kind, input) };
}

function toFault(fault: FaultKind, input: Record<string, unknown>): Fault {
  return {
    fault,
    delay_ms: Number(input["delay_ms"] ?? (fault === "slow" ? DEFAULT_DELAY_MS : 0)),
    rate: Number(input["rate"] ?? 1),
    ...(typeof input["path"] === "string" ? { path: input["path"] } : {}),
  };
}

type Member = { readonly wants: string; accepts(value: unknown): boolean };

const isNumberWithin = (value: unknown, low: number, high: number): boolean =>
  typeof value === "number" && value >= low && value <= high;

const MEMBERS: Readonly<Record<string, Member>> = {
  fault: {
    wants: `must be one of ${ALL_KINDS.join(", ")}`,
    accepts: (value) => ALL_KINDS.some((kind) => kind === value),
  },
  path: {
    wants: "must be a non-empty string",
    accepts: (value) => typeof value === "string" && value !== "",
  },
  delay_ms: {
    wants: `must be an integer from 0 to ${MAX_DELAY_MS}`,
    accepts: (value) => Number.isInteger(value) && isNumberWithin(value, 0, MAX_DELAY_MS),
  },
  rate: { wants: "must be a number from 0 to 1", accepts: (value) => isNumberWithin(value, 0, 1) },
};

const wrong = (member: string, wants: string): Parsed => ({
  member,
  message: `${member} ${wants}`,
});

/** The value, or undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
