/**
 * The upstreams of the federation benchmark in one process of its own: each answers 20 ms after it
 * was asked, with what its protocol says about a point, or never.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The hung ones take the request and say nothing. */
let hung: ReadonlySet<string> = new Set();
process.on("message", (names: string[]) => (hung = new Set(names)));

const DELAY_MS = 20;

type Point = { lat: number; lon: number };
const near = ({ lat, lon }: Point, n: number): Point => ({
  lat: lat + 0.0004 * n,
  lon: lon + 0.0003 * n,
});
const EIGHT = Array.from({ length: 8 }, (_, n) => n);

/** By the first part of the path: what a source answers about a point. */
const SOURCES: Record<string, (url: URL, body: string) => unknown> = {
  refuge: ({ searchParams: query }) =>
    EIGHT.map((n) => {
      const at = near({ lat: Number(query.get("lat")), lon: Number(query.get("lng")) }, n);
      return {
        id: n + 1,
        name: `Washroom ${n}`,
        street: "1 Test Road",
        city: "Town",
        approved: true,
        accessible: n % 2 === 0,
        unisex: true,
        latitude: at.lat,
        longitude: at.lon,
        distance: 0.1 * n,
      };
    }),
  inpost: ({ searchParams: query }) => {
    const [lat, lon] = query.get("relative_point")!.split(",").map(Number) as [number, number];
    const items = EIGHT.map((n) => {
      const at = near({ lat, lon }, -n);
      return {
        name: `LCK${n}`,
        country: "FR",
        type: ["parcel_locker"],
        status: "Operating",
        location: { latitude: at.lat, longitude: at.lon },
        opening_hours: "24/7",
        address: { line1: `${n} Test Street`, line2: "75001 Town" },
        functions: ["parcel_collect"],
      };
    });
    return { count: items.length, page: 1, per_page: 100, total_pages: 1, items };
  },
  google: (_url, body) => {
    const { includedTypes, locationRestriction } = JSON.parse(body) as {
      includedTypes: string[];
      locationRestriction: { circle: { center: { latitude: number; longitude: number } } };
    };
    const { latitude, longitude } = locationRestriction.circle.center;
    const charging = includedTypes.includes("electric_vehicle_charging_station");
    return {
      places: EIGHT.map((n) => {
        const at = near({ lat: latitude, lon: longitude }, n * (charging ? 2 : -2));
        return {
          id: `ChIJbench${charging}${n}`,
          types: [includedTypes[0], "point_of_interest"],
          primaryType: includedTypes[0],
          formattedAddress: `${n} Test Avenue, Town`,
          location: { latitude: at.lat, longitude: at.lon },
          displayName: { text: `Place ${n}`, languageCode: "en" },
          ...(charging
            ? {
                evChargeOptions: {
                  connectorCount: 2,
                  connectorAggregation: [
                    {
                      type: "EV_CONNECTOR_TYPE_TYPE_2",
                      maxChargeRateKw: 22,
                      count: 2,
                      availableCount: 1,
                    },
                  ],
                },
              }
            : { parkingOptions: { paidParkingLot: true } }),
        };
      }),
    };
  },
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url!, "http://upstream");
  const [, name = ""] = url.pathname.split("/");
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const kind = body.includes("electric_vehicle") ? "charging" : name;
  if (hung.has(kind)) return;
  const text = JSON.stringify(SOURCES[name]!(url, body));
  setTimeout(() => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  }, DELAY_MS);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));
