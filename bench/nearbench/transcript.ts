/** Recorded answers as lines of JSON, one a question (README.md), and questions as they are stored. */
import { readFileSync } from "node:fs";
import type { Claim, FinalAnswer, Point, Question, Transcript } from "./question.ts";

export function readQuestions(): Question[] {
  return readLines(readFileSync(new URL("questions.jsonl", import.meta.url), "utf8")) as Question[];
}

/** Throws with the number of a line that is no transcript. */
export function readTranscripts(text: string): Transcript[] {
  return readLines(text).map((value, index) => {
    const { id, at, calls, tokens, answer } = toMembers(value);
    const isWhole = typeof id === "string" && !Number.isNaN(Date.parse(String(at)));
    if (!isWhole || !Array.isArray(calls))
      throw new Error(`line ${index + 1}: a transcript has id, at (a time), calls and answer`);
    return {
      id,
      at: String(at),
      calls: calls.map((call) => {
        const { tool, input } = toMembers(call);
        return { tool: String(tool), input };
      }),
      tokens: typeof tokens === "number" ? tokens : null,
      answer: toAnswer(answer),
    };
  });
}

/**
 * An answer of a stranger, as far as it has the members of one: what is no claim is left out. A claim that
 * does not say that it is unsure is sure.
 */
export function toAnswer(value: unknown): FinalAnswer {
  const { claims, asks } = toMembers(value);
  const all = Array.isArray(claims) ? claims.map((claim) => toClaim(claim)) : [];
  return {
    claims: all.filter((claim) => claim !== null),
    ...(asks === true ? { asks } : {}),
  };
}

function toClaim(value: unknown): Claim | null {
  const { wish, says, sure, location, line, at, price } = toMembers(value);
  if (typeof wish !== "number") return null;
  if (says !== "this" && says !== "none" && says !== "unknown") return null;
  const point = toPoint(location);
  return {
    wish,
    says,
    sure: sure !== false,
    ...(point === null ? {} : { location: point }),
    ...(typeof line === "string" ? { line } : {}),
    ...(typeof at === "string" ? { at } : {}),
    ...(typeof price === "number" ? { price } : {}),
  };
}

function toPoint(value: unknown): Point | null {
  const { lat, lon } = toMembers(value);
  return typeof lat === "number" && typeof lon === "number" ? { lat, lon } : null;
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function readLines(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): unknown => JSON.parse(line));
}
