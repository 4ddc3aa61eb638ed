// Bodies of the Places API, read as strictly as it does: an unknown or ill-typed member is an error.
import type { Point } from "../geo.ts";
import type { Reply } from "../http.ts";
import { rpcError } from "./rpc.ts";

export type Body = Readonly<Record<string, unknown>>;
export type Circle = Point & { readonly radius: number };

type MemberKind = "text" | "texts" | "integer" | "number" | "boolean" | "object";

/** The members that a method takes. */
export type Members = Readonly<Record<string, MemberKind>>;

/** How far a circle may reach. */
const RADIUS_MAX_M = 50_000;
const TYPES_MAX = 50;

export function readBody(raw: string, members: Members): { body: Body } | { refused: Reply } {
  const body = parse(raw);
  if (body === null)
    return { refused: invalid("Invalid JSON payload received. Unexpected token.") };
  for (const [name, value] of Object.entries(body)) {
    const kind = members[name];
    if (kind === undefined)
      return {
        refused: invalid(
          `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
        ),
      };
    if (!isOf(kind, value))
      return { refused: invalid(`Invalid value at '${name}' (${kind}).`, name) };
  }
  return { body };
}

function parse(raw: string): Body | null {
  try {
    const value: unknown = JSON.parse(raw === "" ? "{}" : raw);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Body)
      : null;
  } catch {
    return null;
  }
}

function isOf(kind: MemberKind, value: unknown): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "texts":
      return Array.isArray(value) && value.every((each) => typeof each === "string");
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
  }
}

export const invalid = (message: string, field?: string): Reply =>
  rpcError("INVALID_ARGUMENT", message, field === undefined ? {} : { field });

export const textIn = (body: Body, name: string): string | undefined =>
  body[name] as string | undefined;

export const textsIn = (body: Body, name: string): readonly string[] =>
  (body[name] as readonly string[] | undefined) ?? [];

/** Reads the circle of `locationRestriction` or `locationBias`. */
export function readCircle(area: unknown, name: string): { circle: Circle } | { refused: Reply } {
  const circle = memberOf(area, "circle");
  const point = readLatLng(memberOf(circle, "center"));
  const radius = memberOf(circle, "radius") ?? 0;
  if (circle === undefined || point === null)
    return { refused: invalid(`${name}.circle with a valid center is required.`, name) };
  if (typeof radius !== "number" || !(radius > 0 && radius <= RADIUS_MAX_M))
    return {
      refused: invalid(
        "Invalid radius. Radius should be between 0 and 50000 meters.",
        `${name}.circle.radius`,
      ),
    };
  return { circle: { ...point, radius } };
}

/** Members left out are zero, as in proto3. */
export function readLatLng(value: unknown): Point | null {
  if (typeof value !== "object" || value === null) return null;
  const [lat, lon] = [memberOf(value, "latitude") ?? 0, memberOf(value, "longitude") ?? 0];
  if (typeof lat !== "number" || typeof lon !== "number") return null;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Body)[name] : undefined;

/** Null: all are known, few enough, and none is both wanted and unwanted. */
export function refuseTypes(
  body: Body,
  unknown: (names: readonly string[]) => readonly string[],
): Reply | null {
  for (const name of ["Types", "PrimaryTypes"]) {
    const [included, excluded] = [
      textsIn(body, `included${name}`),
      textsIn(body, `excluded${name}`),
    ];
    const bad = unknown([...included, ...excluded]);
    if (bad.length > 0) return invalid(`Unsupported types: ${bad.join(", ")}.`, `included${name}`);
    const both = included.find((each) => excluded.includes(each));
    if (both !== undefined) return invalid(`Conflicting types: ${both}.`, `included${name}`);
    if (Math.max(included.length, excluded.length) > TYPES_MAX)
      return invalid(`Too many types in included${name}.`, `included${name}`);
  }
  return null;
}
