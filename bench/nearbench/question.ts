/**
 * Questions of nearbench and answers to them, as data. A question is a text in one of ten languages, asked at
 * a point and an instant of the simulated world; what is right is a check over the simulator's truth of that
 * moment, never over an answer of any server.
 */
import type { Truth, Wants } from "../../trials/agent-tasks/judge.ts";

export type Point = { readonly lat: number; readonly lon: number };

export const LANGUAGES = ["ar", "de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt"] as const;
type Language = (typeof LANGUAGES)[number];

/** What questions are about; the table of results has a row for each. */
export const KINDS = [
  ...(["counts", "battery", "form", "hours", "night", "charging", "budget", "departures"] as const),
  ...(["last", "accessibility", "joint", "assumption", "ambiguous", "border", "name"] as const),
] as const;
type Kind = (typeof KINDS)[number];

/**
 * One thing that is wished. Distances are metres; with `next_to` it is wished near what
 * answers an earlier wish of the question.
 */
export type Wish = Omit<Wants, "detail"> & {
  readonly radius_m: number;
  /** Of a vehicle: cargo_bicycle, scooter_seated and others (GBFS). */
  readonly form_factor?: string;
  /** Which departure is meant; absent: the next one. */
  readonly departs?: "next" | "last";
  /** The price of a ride of these minutes is asked too, and is at most `at_most`. */
  readonly ride?: { readonly minutes: number; readonly at_most: number };
  readonly next_to?: { readonly wish: number; readonly within_m: number };
  /** The nearest one is asked for; else any within the circle is right. */
  readonly nearest?: boolean;
  /** The way there may have no step. */
  readonly step_free?: boolean;
};

export type Question = {
  readonly id: string;
  readonly language: Language;
  readonly kind: Kind;
  readonly text: string;
  /** Where the person is; `name`: the text names the place instead, and nothing says where it is. */
  readonly place: Point & { readonly time_zone: string; readonly name?: string };
  /** When it is asked, RFC 3339 in UTC. */
  readonly instant: string;
  readonly wishes: readonly Wish[];
  /** The name is that of several things: the right answer is a question. */
  readonly several?: boolean;
  /** In words: which answer would be confidently wrong. */
  readonly wrong: string;
};

/**
 * What an answer says of one wish. `this`: the thing at `location`, for a departure with its `line` and
 * its time `at`, for a ride with its `price`; `none`: there is nothing of the kind in the circle;
 * `unknown`: it cannot be known from here. `sure`: said without a reservation.
 */
export type Claim = {
  readonly wish: number;
  readonly says: "this" | "none" | "unknown";
  readonly sure: boolean;
  readonly location?: Point;
  readonly line?: string;
  readonly at?: string;
  readonly price?: number;
};

/** `asks`: it asks back which place is meant, and claims nothing. */
export type FinalAnswer = { readonly claims: readonly Claim[]; readonly asks?: boolean };

/** A departure as /__sandbox/truth/departures has it. */
export type TrueDeparture = {
  readonly station: { readonly location: Point };
  readonly line: { readonly short_name: string; readonly long_name: string; readonly mode: string };
  readonly planned_at: string | null;
  readonly expected_at: string | null;
  readonly status: string;
};

/**
 * What was so around a question's place when it was answered. `ways`: metres on foot to things by their
 * index in `things`, null where there is no way; things that are not in it were not looked up.
 */
export type Moment = {
  readonly now_ms: number;
  readonly things: readonly Truth[];
  readonly departures: readonly TrueDeparture[];
  readonly ways: ReadonlyMap<number, number | null>;
};

/** One line of a recorded transcript: a question, what was called, and what was answered at the end. */
export type Transcript = {
  readonly id: string;
  /** Simulated time of the answer, RFC 3339. */
  readonly at: string;
  readonly calls: readonly { readonly tool: string; readonly input: unknown }[];
  /** What the model read and wrote besides the list of tools; null: not counted. */
  readonly tokens: number | null;
  readonly answer: FinalAnswer;
};
