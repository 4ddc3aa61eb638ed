// The world: a pure function of seed and minute, remembered for the minute that is being asked about.
import type { Streets } from "../streets/model.ts";
import { layStreets } from "../streets/streets.ts";
import type { City, Operator, Place, Scene } from "./model.ts";
import { CITIES } from "./cities.ts";
import { listCopies, listVehicles } from "./fleet.ts";
import { listOperators } from "./operators.ts";
import { listPlaces, listRetired } from "./places.ts";
import type { ServiceThing } from "./service-model.ts";
import { listServices } from "./services.ts";
import { listStations } from "./stations.ts";
import { createNetwork } from "./transit.ts";
import type { Network } from "./transit-model.ts";
import { createTimetable, type Timetable } from "./transit-runs.ts";

export type World = {
  readonly seed: number;
  readonly cities: readonly City[];
  readonly operators: readonly Operator[];
  /** Everything an operator has standing in the minute that `now_ms` falls in. */
  getScene(operator: Operator, now_ms: number): Scene;
  listPlaces(operator: Operator): readonly Place[];
  /** Toilets, chargers and the like: fixed by the seed, by type, nearest to the centre first. */
  listServices(city: City): readonly ServiceThing[];
  /** Public transport: fixed by the seed. */
  getNetwork(city: City): Network;
  /** Ways on foot: fixed by the seed. */
  getStreets(city: City): Streets;
  /** What is meant to run there. */
  getTimetable(city: City): Timetable;
  /** How often the operator has given its stations new ids. */
  generationOf(operator: Operator): number;
  renumber(operator: Operator): void;
};

const toMinute = (now_ms: number): number => Math.floor(now_ms / 60_000);

/** Creates the world of a seed, or the part of it that is in the cities named. */
export function createWorld(seed: number, city_ids?: readonly string[]): World {
  const cities = CITIES.filter(({ id }) => city_ids === undefined || city_ids.includes(id));
  const operators = listOperators(seed, cities);
  const places = new Map<string, readonly Place[]>();
  const scenes = new Map<string, Scene>();
  const services = new Map<string, readonly ServiceThing[]>();
  const networks = new Map<string, Network>();
  const timetables = new Map<string, Timetable>();
  const streets = new Map<string, Streets>();

  const generations = new Map<string, number>();
  const generationOf = ({ id }: Operator): number => generations.get(id) ?? 0;

  const docksOf = ({ id, city }: Operator): Operator | null =>
    operators.find(
      (other) => other.city === city && other.id !== id && other.stations?.model === "pool",
    ) ?? null;

  const networkOf = (city: City): Network =>
    networks.get(city.id) ?? remember(networks, city.id, createNetwork(city, seed));

  const placesOf = (operator: Operator): readonly Place[] =>
    places.get(operator.id) ?? remember(places, operator.id, drawPlaces(operator));

  function drawPlaces(operator: Operator): readonly Place[] {
    const generation = generationOf(operator);
    const successor = operators.find(({ id }) => id === operator.successor);
    return successor
      ? listRetired(operator, placesOf(successor), generation)
      : listPlaces(operator, { generation, docks: docksOf(operator) });
  }

  function sceneOf(operator: Operator, minute: number): Scene {
    const original = operators.find(({ id }) => id === operator.copies);
    if (original === undefined) return toScene(operator, placesOf(operator), minute);
    const { vehicles } = toScene(original, placesOf(original), minute);
    return { minute, stations: [], vehicles: listCopies(operator, vehicles) };
  }

  return {
    seed,
    cities,
    operators,
    listPlaces: placesOf,
    listServices: (city) =>
      services.get(city.id) ?? remember(services, city.id, listServices(city, seed)),
    getNetwork: networkOf,
    getStreets: (city) =>
      streets.get(city.id) ?? remember(streets, city.id, layStreets(city, seed, networkOf(city))),
    getTimetable: (city) =>
      timetables.get(city.id) ?? remember(timetables, city.id, createTimetable(networkOf(city))),
    generationOf,
    renumber(operator) {
      generations.set(operator.id, generationOf(operator) + 1);
      places.delete(operator.id);
      scenes.delete(operator.id);
    },
    getScene(operator, now_ms) {
      const minute = toMinute(now_ms);
      const known_scene = scenes.get(operator.id);
      if (known_scene?.minute === minute) return known_scene;
      return remember(scenes, operator.id, sceneOf(operator, minute));
    },
  };
}

function toScene(operator: Operator, places: readonly Place[], minute: number): Scene {
  const vehicles = listVehicles(operator, places, minute);
  return { minute, vehicles, stations: listStations(places, vehicles, minute) };
}

function remember<T>(map: Map<string, T>, key: string, value: T): T {
  map.set(key, value);
  return value;
}
