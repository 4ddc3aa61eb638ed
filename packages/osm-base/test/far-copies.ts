/** An extract of the same objects several times, a degree of longitude apart: it does not fit one cell. */
import type { PbfObject } from "../../../sandbox/pbf/objects.ts";

export function listFarCopies(objects: readonly PbfObject[], copies: number): PbfObject[] {
  const all = Array.from({ length: copies }, (_, far) =>
    objects.map((object): PbfObject => shifted(object, far)),
  );
  return ["node", "way", "relation"].flatMap((kind) =>
    all.flat().filter(({ type }) => type === kind),
  );
}

function shifted(object: PbfObject, far: number): PbfObject {
  const idOf = (id: number): number => id + far * 1_000_000;
  const id = idOf(object.id);
  if (object.type === "node") return { ...object, id, lon7: object.lon7 + far * 10_000_000 };
  if (object.type === "way") return { ...object, id, refs: object.refs.map(idOf) };
  return { ...object, id, members: object.members.map((one) => ({ ...one, id: idOf(one.id) })) };
}
