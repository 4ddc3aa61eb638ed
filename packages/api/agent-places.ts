/** Answers of find_urban_services and find_places of /mcp (docs/agents.md). */
import { Type } from "typebox";
import { circle, listed, NextOffset, ShownService } from "./agent-results.ts";
import { footMembers, footOrder } from "./agent-walk.ts";
import { nearestKnownMember, shownMatchMembers } from "./filter-match.ts";
import { closed, Count, Location, Text } from "./primitives.ts";
import { ServicesBody } from "./services.ts";

/** A place of a class, as a service is shown. */
const ShownClassPlace = Type.Object(
  {
    id: Text,
    place_class: Text,
    name: Text,
    location: Location,
    distance_meters: Count,
    ...footMembers,
    attributes: ShownService.properties.attributes,
    omitted: ShownService.properties.omitted,
    ...shownMatchMembers,
    sources: ShownService.properties.sources,
  },
  closed,
);

export const ServicesShown = Type.Object(
  {
    ...circle,
    ...footOrder,
    ...listed,
    next_offset: NextOffset,
    summary: Type.Record(Type.String(), Count),
    unknown: ServicesBody.properties.unknown,
    ...nearestKnownMember,
    not_potable: ServicesBody.properties.not_potable,
    potable_unknown: ServicesBody.properties.potable_unknown,
    results: Type.Array(ShownService),
  },
  closed,
);

export const ClassPlacesShown = Type.Object(
  {
    ...circle,
    ...footOrder,
    ...listed,
    next_offset: NextOffset,
    summary: Type.Record(Type.String(), Count),
    unknown: ServicesBody.properties.unknown,
    ...nearestKnownMember,
    results: Type.Array(ShownClassPlace),
  },
  closed,
);
