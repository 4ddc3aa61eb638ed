/** A source of public transport stations as a question sees it; none is known by name from here. */
import type { TransitMode, TransitProvider, TransitStation } from "#transit/schedule/station.ts";
import type { AskOptions } from "#upstream/lookup/ask-source.ts";
import type { Circle } from "#world/system-entry.ts";
import type { SourceFinding } from "../search-reply.ts";

export type TransitQuestion = AskOptions & {
  circle: Circle;
  language: string | null;
  now_ms: number;
  /** Its deadline, epoch ms. */
  until_ms: number;
};

/** Stations of each publisher: within one group, every station is another. */
export type TransitFinding = SourceFinding & {
  groups: readonly (readonly TransitStation[])[];
  /** Of a provider of several sources, those that cannot answer; absent: none. */
  gaps?: readonly SourceFinding[];
};

/** The stations that each timetable of the deployment has in a circle, which give others their identity. */
export type FindTimetabled = (circle: Circle) => readonly (readonly TransitStation[])[];

export type TransitFinder = {
  /** Under which token of `providers` it is asked. */
  provider: TransitProvider;
  key: string;
  /** The modes that it can find; absent: any. */
  modes?: readonly TransitMode[];
  /** It answers from memory, without a call. */
  isHeld?: true;
  /** Absent: always. What is not there is not served by this deployment. */
  isThere?(): boolean;
  covers(question: TransitQuestion): boolean;
  find(question: TransitQuestion): Promise<TransitFinding>;
};
