/** The GeoJSON forms of /v1/walk and /v1/reach (RFC 7946). */
import { toPoint } from "#app/geojson.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { ReachFamily, ReachGeoJsonValue } from "#api/reach.ts";
import type { WayGeoJsonValue } from "#api/way.ts";
import type { Immutable } from "#api/operations.ts";

/** The way as one Feature; its geometry is null where there is none. */
export function toWayFeature({
  geometry,
  ...properties
}: ReplyAt<"/v1/walk">): Immutable<WayGeoJsonValue> {
  return { type: "Feature", geometry, properties };
}

/** The outline, then the nearest of each family as points. */
export function toReachCollection({
  outline,
  ...meta
}: ReplyAt<"/v1/reach">): Immutable<ReachGeoJsonValue> {
  const nearest = Object.entries(meta.reached).flatMap(([family, reached]) => {
    if (!reached?.nearest) return [];
    const { nearest: of, ...counted } = reached;
    const { location, ...properties } = of;
    return {
      type: "Feature",
      id: of.id,
      geometry: toPoint(location),
      properties: { family: family as ReachFamily, ...counted, ...properties },
    } as const;
  });
  const { minutes } = meta;
  return {
    type: "FeatureCollection",
    features: [
      { type: "Feature", id: "outline", geometry: outline, properties: { minutes } },
      ...nearest,
    ],
    meta,
  };
}
