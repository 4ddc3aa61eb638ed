/** What a question by name says, and what it may cost. */
import { Budget } from "#kit/budget.ts";
import type { Location } from "#kit/geo.ts";
import type { QuestionReading } from "./question-reading.ts";
import type { BestMeaning, WordStatistics } from "./word-statistics.ts";

export type ForwardQuery = {
  q: string;
  /** A tag such as `de-AT`; null is English. */
  language: string | null;
  /** Only of this country, ISO 3166-1 alpha-2; null: of any, or none. */
  country: string | null;
  /** Orders and never filters. */
  near: Location | null;
  limit: number;
  /** The last word is the beginning of one. */
  prefix?: boolean;
  /** What the question may still cost, over all bases; absent: as much as one question may. */
  budget?: Budget;
  /** How often words are in all that is searched together; absent: in what is asked. */
  statistics?: WordStatistics;
  /** What its words mean at best in all that is searched together; absent: in what is asked. */
  best?: readonly (BestMeaning | null)[];
  /** What its words may mean in all pages of a base; absent: in what is asked. */
  reading?: QuestionReading;
};

/**
 * What one question may cost over all bases: entries of lists, 20 nanoseconds each, and documents that
 * are looked at closely, ten microseconds each. Ordinary questions take a tenth of it of one base.
 */
const QUESTION = { looks: 100_000, keeps: 288 } as const;

export function createGeocodingBudget(): Budget {
  return new Budget(QUESTION);
}
