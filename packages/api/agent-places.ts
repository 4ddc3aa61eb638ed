/** Answers about places of /mcp (docs/agents.md): services, places of a class, and those of a name. */
import { Type } from "typebox";
import {
  AgentSources,
  circle,
  listed,
  local,
  NextOffset,
  ShownService,
  status_members,
} from "./agent-results.ts";
import { footMembers, footOrder } from "./agent-walk.ts";
import { nearestKnownMember, shownMatchMembers } from "./filter-match.ts";
import { GeocodeBody, GeocodeCandidate } from "./geocoding.ts";
import { closed, Count, Location, Nullable, Text } from "./primitives.ts";
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
    sources: AgentSources,
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

const ShownPlace = Type.Object(
  {
    name: Text,
    label: Text,
    type: GeocodeCandidate.properties.type,
    location: Location,
    city: Nullable(Text),
    country: Nullable(Text),
    match_quality: GeocodeCandidate.properties.match_quality,
    sources: AgentSources,
  },
  closed,
);

export const PlacesShown = Type.Object(
  {
    ...listed,
    ...local,
    status: GeocodeBody.properties.meta.properties.status,
    notices: status_members.notices,
    results: Type.Array(ShownPlace),
  },
  closed,
);

/** Of a point. */
export const PlacesAtShown = Type.Object(
  { ...PlacesShown.properties, query_origin: Location },
  closed,
);
