/** Building blocks of the configuration schema. */
import { Type } from "typebox";
import type { TObject, TProperties, TSchema } from "typebox";
import { closedObject } from "#providers/settings.ts";

/** A closed object that may be left out as a whole. */
export function section<const P extends TProperties>(members: P, description: string): TObject<P> {
  return closedObject(members, { default: {}, description });
}

/** A span in milliseconds, up to ten minutes. */
export function ms(value: number, description: string) {
  return Type.Integer({ minimum: 0, maximum: 600_000, default: value, description });
}

export function hours(value: number, description: string) {
  return Type.Integer({ minimum: 1, maximum: 87_600, default: value, description });
}

export function orNullSchema<T extends TSchema>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { description: `${description}; null: no bound.` });
}
