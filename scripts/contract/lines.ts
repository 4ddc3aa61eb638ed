/**
 * The contract's sections and limits, line by line, in our own words, as docs/contract.md shows
 * them; each needs a test. A test cites a line by its id, in a comment before it:
 * `// Proves §4.9 clamped; §8 nearby`. Lines of a route that is not in the table of operations wait
 * in pending.ts.
 */

type Line = {
  id: string;
  says: string;
  /** The path, with `*` for each name in braces; required, since proofs name it. */
  route?: string;
};
export type Section = { title: string; lines: readonly Line[] };

const CAPABILITIES = "/v1/capabilities";
const WATER = "/realtime/paris/*/water";
const VEHICLES = "/api/realtime/*/*";
const SCOOTERS = "/api/realtime/*/freefloat/scooter";
const WEATHER = "/realtime/*/weather/*";
const FORECAST = "/realtime/*/forecast/*";

export const SECTIONS: readonly Section[] = [
  {
    title: "§1 general",
    lines: [
      {
        id: "§1 provider failures",
        says: "A provider that fails makes an answer partial; it does not fail the request.",
      },
      {
        id: "§1 message",
        says: "A sentence for people goes with an empty or an incomplete answer.",
      },
      { id: "§1 distances", says: "Distances are metres from the point of the question." },
      {
        id: "§1 candidates",
        says: "Geocoding gives at most five candidates, in the provider's order.",
      },
      {
        id: "§1 merged",
        says: "Observations of one physical station are one before anything is counted, paged or billed.",
      },
    ],
  },
  {
    title: "§2 resources",
    lines: [
      { id: "§2.1 health", says: "Members of the health body." },
      { id: "§2.2 candidate", says: "Members, types and precisions of a candidate." },
      { id: "§2.2 address", says: "Seven parts of an address, each text or null." },
      { id: "§2.2 meta", says: "Source, cache, total, and what was asked." },
      { id: "§2.3 service result", says: "Members of a service result, its types and sources." },
      { id: "§2.3 provider", says: "A provider has an id and a name." },
      {
        id: "§2.3 parking and charging",
        says: "Their results carry the constants of the maps provider.",
      },
      { id: "§2.4 parking attributes", says: "Members of a car park's attributes." },
      { id: "§2.4 kind and features", says: "The kinds of car parks, and what they offer." },
      { id: "§2.5 charging attributes", says: "Members of a charging station's attributes." },
      { id: "§2.5 counts", says: "Counts of connectors, and their time." },
      { id: "§2.5 connector", says: "Types of connectors, power and counts." },
      {
        id: "§2.5 never zero",
        says: "Availability that no source supplies is left out, never a zero.",
      },
      { id: "§2.6 attribution", says: "Constant members of an attribution." },
      { id: "§2.7 debug block", says: "Members of the diagnostics of searches." },
      { id: "§2.7 only when asked", says: "Diagnostics are there with debug=true, and only then." },
      { id: "§2.8 station", says: "Members and modes of a public transport station." },
      {
        id: "§2.8 never queried",
        says: "Departures and alerts are not queried; only whether there are any is stated.",
      },
      { id: "§2.8 accessibility", says: "Wheelchairs: yes, no or unknown." },
      { id: "§2.8 freshness", says: "Static data, with the time they were fetched." },
      { id: "§2.8 sources", says: "Who published the station, member by member." },
      { id: "§2.9 body", says: "Members of the answer about shared mobility." },
      { id: "§2.9 families", says: "Five families of results, all of them always there." },
      { id: "§2.9 station item", says: "Members of a station." },
      { id: "§2.9 service status", says: "The five states of a service." },
      { id: "§2.9 capabilities", says: "Six capabilities, each stated." },
      { id: "§2.9 action item", says: "Intents and modes of an action." },
      { id: "§2.9 vehicle item", says: "Members of a vehicle." },
      { id: "§2.9 provenance", says: "Who saw it: kinds and members." },
      { id: "§2.9 vehicle source", says: "Members of what the source says of a vehicle." },
      { id: "§2.9 warning item", says: "Members of a warning." },
      {
        id: "§2.9 debug block",
        says: "Members of the diagnostics, which are there only when asked for.",
      },
      { id: "§2.12 document", says: "Members of the changelog." },
      { id: "§2.13 error body", says: "Code and message of an error." },
    ],
  },
  {
    title: "§3 states",
    lines: [
      {
        id: "§3 status",
        says: "Empty without results, partial when a source failed or coverage is incomplete, else success.",
      },
    ],
  },
  {
    title: "§4 endpoints",
    lines: [
      { id: "§4 optional credentials", says: "A bearer key, the parameter token, or neither." },
      { id: "§4.1 health", says: "Takes no parameters and answers with the health body." },
      { id: "§4.2 description", says: "An OpenAPI 3.1 document of the present API." },
      { id: "§4.3 parameters", says: "Parameters of geocoding." },
      { id: "§4.3 body", says: "At most five candidates, and what goes with them." },
      { id: "§4.3 order", says: "Candidates are in the provider's order." },
      { id: "§4.3 no match", says: "No match is 200 with an empty list." },
      { id: "§4.4 parameters", says: "Parameters of the search for places." },
      { id: "§4.4 bias", says: "A point only leans the search towards it." },
      { id: "§4.5 parameters", says: "Parameters of reverse geocoding." },
      { id: "§4.5 scope", says: "Anonymous calls pass; a key needs geography:read." },
      { id: "§4.6 parameters", says: "Parameters of the search for urban services." },
      { id: "§4.6 body", says: "Members of its answer." },
      { id: "§4.6 clamped", says: "A radius above 10 km and a limit above 200 are reduced." },
      { id: "§4.6 aggregate", says: "The limit counts all types together." },
      { id: "§4.6 summary", says: "A count for every requested type, zeros included." },
      {
        id: "§4.6 alias",
        says: "drinking_water is an alias that finds drinking points and fountains.",
      },
      {
        id: "§4.6 country",
        says: "The country is a hint that reaches the providers that take one.",
      },
      {
        id: "§4.6 maps category",
        says: "At most 20 results of each category of the maps provider.",
      },
      { id: "§4.6 lockers", says: "At most 100 lockers, from a source that may answer anything." },
      { id: "§4.6 partial", says: "Provider failures make the answer partial." },
      { id: "§4.6 attributions", says: "Attributions go with parking and charging." },
      { id: "§4.7 parameters", says: "Parameters of parking and charging." },
      { id: "§4.7 body", says: "Members of their answers." },
      { id: "§4.7 clamped", says: "A radius above 10 km and a limit above 20 are reduced." },
      { id: "§4.7 attribution", says: "The maps provider's attribution is always there." },
      {
        id: "§4.7a parameters",
        says: "Parameters of public transport, lng and its alias among them.",
      },
      { id: "§4.7a body", says: "Members of its answer." },
      { id: "§4.7a clamped", says: "A radius above 5 km and a limit above 200 are reduced." },
      { id: "§4.7a default provider", says: "The provider that is asked when none is named." },
      { id: "§4.7a modes", says: "Only stations of the wanted modes." },
      {
        id: "§4.8 contract_version",
        says: "Only contract version 1.0.0 is taken and given.",
        route: CAPABILITIES,
      },
      {
        id: "§4.8 members",
        says: "No additional members, and the required ones.",
        route: CAPABILITIES,
      },
      {
        id: "§4.8 search_mobility",
        says: "Uses the providers as the other operations do.",
        route: CAPABILITIES,
      },
      {
        id: "§4.8 read_dataset",
        says: "Exactly the stored id and version, without a call to a provider.",
        route: CAPABILITIES,
      },
      {
        id: "§4.8 freshness_policy",
        says: "What a valid cache may answer, and what must be fetched again.",
        route: CAPABILITIES,
      },
      { id: "§4.8 observation", says: "Members of an observation.", route: CAPABILITIES },
      {
        id: "§4.8 error observation",
        says: "A capability that fails is an observation of the error.",
        route: CAPABILITIES,
      },
      { id: "§4.9 parameters", says: "Parameters of shared mobility, lng among them." },
      {
        id: "§4.9 clamped",
        says: "A radius above 400 m and a limit above the plan's are reduced, and warnings say so.",
      },
      { id: "§4.9 total", says: "Counted after merging, before pages and limits." },
      { id: "§4.9 pages", says: "Limit and offset cut pages of one list." },
      { id: "§4.9 merged", says: "Surely the same physical station is one result." },
      { id: "§4.9 families", says: "include says which families are in the answer." },
      { id: "§4.9 debug", says: "debug=true adds diagnostics." },
      { id: "§4.9 geojson", says: "A feature collection, with its own content type." },
      { id: "§4.9 free policy", says: "Anonymous calls are on the Free plan." },
      {
        id: "§4.10 water",
        says: "Drinking water and toilets of Paris in the old shape.",
        route: WATER,
      },
      { id: "§4.11 vehicles", says: "Vehicles of one brand in the old shape.", route: VEHICLES },
      { id: "§4.12 scooters", says: "Scooters of all brands in the old shape.", route: SCOOTERS },
      {
        id: "§4.12a weather",
        says: "Weather at a point in the old shape, in one of the listed languages.",
        route: WEATHER,
      },
      {
        id: "§4.12b forecast",
        says: "Forecast at a point, in one of the listed languages.",
        route: FORECAST,
      },
      { id: "§4.13 not published", says: "404 until the changelog is published." },
      { id: "§4.13 published", says: "Public JSON, cacheable for a bounded time." },
      { id: "§4.13 no authentication", says: "It needs no credential." },
      { id: "§4.13 ETag", says: "Conditional requests by entity tag." },
      {
        id: "§4.13 document",
        says: "Schema version, time of the last change, entries newest first.",
      },
      { id: "§4.13 entry", says: "Members of an entry." },
      { id: "§4.13 id", says: "An id stays when the wording is corrected." },
      { id: "§4.13 rejected: duplicate ids", says: "Two entries with one id are refused." },
      {
        id: "§4.13 rejected: invalid ordering",
        says: "Entries that are not newest first are refused.",
      },
      { id: "§4.13 rejected: unsafe links", says: "Links other than public https are refused." },
      { id: "§4.13 rejected: invalid dates", says: "Times that are none are refused." },
      { id: "§4.13 rejected: unsupported types", says: "Other types of changes are refused." },
      {
        id: "§4.13 rejected: inconsistent breaking",
        says: "breaking must be assessed, and true for the type breaking.",
      },
      {
        id: "§4.13 only released",
        says: "Only changes of a published release; plans are elsewhere.",
      },
    ],
  },
  {
    title: "§5 authentication",
    lines: [
      { id: "§5 bearer", says: "A key is sent as a bearer token." },
      { id: "§5 key format", says: "A fixed prefix, then the secret part." },
      {
        id: "§5 token deprecated",
        says: "The parameter token still works, and is marked deprecated.",
      },
      { id: "§5 no authentication", says: "Health, description and changelog ask for none." },
      { id: "§5 scopes", says: "The names of scopes, and which operation needs which." },
      { id: "§5 legacy token", says: "The old routes take the parameter token.", route: VEHICLES },
    ],
  },
  {
    title: "§7 errors",
    lines: [
      { id: "§7 body", says: "Every error has a body with code and message." },
      { id: "§7 statuses", says: "Each operation answers with its documented statuses." },
      { id: "§7 changelog 404", says: "The unpublished changelog is an error like others." },
      { id: "§7 rule 1", says: "An invalid request is 400." },
      { id: "§7 rule 2", says: "Geocoding without a match is 200." },
      { id: "§7 rule 3", says: "Above a maximum is reduced, not refused." },
      {
        id: "§7 rule 4",
        says: "Provider failures are partial in searches; in geocoding 502, 503 or 504.",
      },
      {
        id: "§7 rule 5",
        says: "A failed capability is an error observation.",
        route: CAPABILITIES,
      },
    ],
  },
  {
    title: "§8 limits",
    lines: [
      {
        id: "§8 geocoding",
        says: "Text of 1 to 200 characters, five results, two letters of a country.",
      },
      { id: "§8 services", says: "Defaults and caps of the search for urban services." },
      { id: "§8 parking and charging", says: "Defaults and caps of parking and charging." },
      { id: "§8 transport", says: "Defaults and caps of public transport." },
      { id: "§8 nearby", says: "Defaults and caps of shared mobility." },
    ],
  },
  {
    title: "§9 versioning",
    lines: [
      {
        id: "§9 description version",
        says: "The description carries 1.1.0, and is what is served.",
      },
      { id: "§9 contract_version", says: "Capabilities take and give 1.0.0.", route: CAPABILITIES },
      {
        id: "§9 removals",
        says: "Removing an endpoint, parameter, response field or entitlement is breaking.",
      },
      {
        id: "§9 optional made required",
        says: "So is making an optional parameter or field required.",
      },
      {
        id: "§9 release gate",
        says: "A breaking change has an entry in the changelog, or is not released.",
      },
      { id: "§9 one release", says: "API, description and changelog are published together." },
      { id: "§9 portal", says: "A portal that is down invalidates nothing and is notified later." },
    ],
  },
];
