/** Mistakes in what answers say of ways on foot, by request (plants.test.ts). */
// oxlint-disable-next-line typescript/no-explicit-any -- bodies are bent at will
type Body = any;
type Bend = (body: Body) => void;
type Plants = Readonly<Record<string, Readonly<Record<string, Bend>>>>;

const PARIS = "lat=48.8566&lon=2.3522";
const reachedOf = ({ results }: Body): Body => results.find((one: Body) => one.walk !== null);

export const PLANTS_ON_FOOT: Plants = {
  [`/v1/services/nearby?${PARIS}&types=toilets,drinking_water&radius=800&sort=walk&limit=200`]: {
    "order by straight line": (body) =>
      body.results.sort((a: Body, b: Body) => a.distance_meters - b.distance_meters),
    "the straight line as a way": (body) =>
      (reachedOf(body).walk.meters = Math.floor(reachedOf(body).distance_meters / 2)),
    "another pace": (body) => (reachedOf(body).walk.seconds += 5),
    "a way forgotten": (body) => delete reachedOf(body).walk,
    "nothing of how they were found": (body) => delete body.walking,
    "counts of the page": (body) => (body.walking.reached -= 1),
    "what may be water before the rest": (body) => body.results.unshift(body.results.pop()),
  },
  [`/v1/services/nearby?${PARIS}&types=toilets,wifi&radius=2000&within_minutes=8&limit=200`]: {
    "counts of the circle": (body) => (body.walking.reached += 1),
    "what takes longer": (body) => {
      const last = body.results.findLast((one: Body) => one.walk !== null);
      last.walk = { ...last.walk, meters: 800, seconds: 602 };
    },
    "the pace of another": (body) => (body.walking.speed_meters_per_second = 1),
    "a base without a name": (body) => (body.walking.base = null),
    "longer than was looked for": (body) => (body.walking.within_meters = 100),
  },
  [`/v1/services/nearby?${PARIS}&types=toilets&limit=3`]: {
    "ways that were not asked for": (body) => (body.results[0].walk = null),
  },
  [`/v1/nearby?${PARIS}&profile=step_free&limit=40`]: {
    "steps on a way without steps": (body) => {
      const known = body.results.stations.find((one: Body) => one.walk);
      known.walk.step_free = false;
    },
    "the way of a vehicle forgotten": (body) => delete body.results.vehicles[0].source.walk,
  },
  "/v1/walk?from=48.8566,2.3522&to=48.8606,2.3576": {
    "shorter than the straight line": (body) => (body.meters = 100),
    "a reason with a way": (body) => (body.reason = "not_reached"),
    "a line that begins elsewhere": (body) => body.geometry.coordinates.shift(),
    "a line that leaves out a corner": (body) => body.geometry.coordinates.splice(1, 6),
    "latitude before longitude": (body) =>
      body.geometry.coordinates.forEach((each: number[]) => each.splice(0, 2, each[1]!, each[0]!)),
    "the ends swapped": (body) => ([body.from, body.to] = [body.to, body.from]),
    "an end far from streets": (body) => (body.to_snap_meters = 101),
    "seconds at another speed": (body) => (body.seconds *= 2),
  },
  "/v1/walk?from=48.8566,2.3522&to=52.52,13.405": {
    "no way as zero": (body) => (body.meters = 0),
    "unknown as none": (body) => (body.status = body.status === "empty" ? "partial" : "empty"),
  },
  [`/v1/reach?${PARIS}&minutes=8&families=toilets,stations,transit`]: {
    "a count of none": (body) => (body.reached.toilets.count = 0),
    "counts that do not add up": (body) => (body.reached.toilets.count += 1),
    "the nearest by straight line": (body) => (body.reached.toilets.nearest.distance_meters += 9),
    "a way that takes longer": (body) => {
      body.reached.transit.nearest.walk = { meters: 800, seconds: 602, step_free: null };
    },
    "a family forgotten": (body) => delete body.reached.stations,
    "unknown as complete": (body) => (body.reached.stations = null),
    "an open ring": (body) => body.outline.coordinates[0][0].pop(),
    "a ring the other way round": ({ outline: { coordinates } }) =>
      (coordinates[0][0] = coordinates[0][0].toReversed()),
    "an outline of more": (body) =>
      body.outline.coordinates[0][0].forEach((each: number[]) => (each[0]! += 0.02)),
    "other minutes": (body) => (body.minutes = 9),
  },
  [`/v1/reach?${PARIS}&minutes=8&format=geojson&families=toilets,transit`]: {
    "a family without its point": (body) => body.features.pop(),
    "another point": (body) => (body.features[1].geometry.coordinates[0] += 0.001),
    "the outline last": (body) => body.features.push(body.features.shift()),
  },
  "/v1/reach?lat=-40.5&lon=-20.25&minutes=8&families=toilets": {
    "nothing known as nothing there": (body) => {
      body.reached.toilets = { count: 0, unknown: 0, nearest: null };
    },
  },
};
