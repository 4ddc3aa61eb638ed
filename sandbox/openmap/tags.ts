// The tags of a drawn service in the many ways mappers write the same thing (places.md 3).
import { gidOf, inpostNameOf, isInInpost, isJoined } from "../listing.ts";
import { hash, pick, unit } from "../rng.ts";
import { pricesIn } from "../world/money.ts";
import type { ServiceThing, ServiceType } from "../world/service-model.ts";
import { socketTags } from "./sockets.ts";
import type { Tags } from "./query.ts";

type Writer = (thing: ServiceThing) => Tags;

const WRITERS: Readonly<Record<ServiceType, Writer>> = {
  aed: aedTags,
  toilets: toiletTags,
  drinking_water: waterTags,
  fountain: ({ potable }) => ({ amenity: "fountain", ...potableTags(potable) }),
  wifi: wifiTags,
  parking: parkingTags,
  charging: (thing) => ({ amenity: "charging_station", ...socketTags(thing) }),
  locker: lockerTags,
};

export function tagsOf(thing: ServiceThing): Tags {
  const { name, key, operator, opening_hours, access, service_type } = thing;
  return {
    ...WRITERS[service_type](thing),
    ...(name === "" ? {} : { name }),
    ...(unit(key, 121) < 0.5 && service_type !== "wifi" ? { operator } : {}),
    ...(opening_hours === null ? {} : { opening_hours }),
    ...(access === "customers" ? { access } : accessTags(key)),
    ...(unit(key, 122) < 0.5 ? addressTags(thing) : {}),
    ...(unit(key, 123) < 0.2 ? { check_date: "2025-11-04" } : {}),
  };
}

/** What is open to all is mostly not said to be. */
const accessTags = (key: number): Tags =>
  pick([{}, {}, { access: "yes" }, { access: "permissive" }], hash(key, 124));

const addressTags = ({ street, street_number, post_code, city }: ServiceThing): Tags => ({
  "addr:street": street,
  "addr:housenumber": street_number,
  ...(post_code === "" ? {} : { "addr:postcode": post_code }),
  "addr:city": city.name,
});

function aedTags(thing: ServiceThing): Tags {
  const { key, city } = thing;
  const inside = unit(key, 125) < 0.6;
  return {
    emergency: "defibrillator",
    ...(inside ? { indoor: "yes" } : unit(key, 126) < 0.4 ? { indoor: "no" } : {}),
    ...(inside ? { level: pick(["0", "1", "-1", "0;1"], hash(key, 127)) } : {}),
    ...(unit(key, 128) < 0.3 ? { "defibrillator:location": pick(PLACES, hash(key, 129)) } : {}),
    ...(unit(key, 130) < 0.3 ? { phone: `${city.phone}${key % 10}` } : {}),
    ...(isJoined(thing) ? { "ref:FR:GeoDAE": gidOf(thing) } : {}),
  };
}

const PLACES = ["Reception", "By the lift", "Next to the entrance"] as const;

function toiletTags({ key, city }: ServiceThing): Tags {
  const charge = `${pricesIn(city).toilet} ${city.currency}`;
  return {
    amenity: "toilets",
    ...pick<Tags>([{}, { fee: "no" }, { fee: "yes", charge }], hash(key, 131)),
    ...pick<Tags>([{}, { wheelchair: "yes" }, { wheelchair: "limited" }], hash(key, 132)),
    ...pick<Tags>([{}, { unisex: "yes" }, { male: "yes", female: "yes" }], hash(key, 133)),
    ...(unit(key, 134) < 0.3 ? { changing_table: "yes" } : {}),
    ...(unit(key, 135) < 0.3 ? { "toilets:disposal": "flush" } : {}),
  };
}

function waterTags({ key }: ServiceThing): Tags {
  return {
    ...pick<Tags>(
      [
        { amenity: "drinking_water" },
        { amenity: "drinking_water" },
        { amenity: "drinking_water", "drinking_water:refill": "yes" },
        { amenity: "drinking_water", drinking_water: "yes", fountain: "bottle_refill" },
        { man_made: "water_tap", drinking_water: "yes" },
        { natural: "spring", drinking_water: "yes" },
      ],
      hash(key, 136),
    ),
    ...(unit(key, 137) < 0.4 ? { bottle: "yes" } : {}),
    ...(unit(key, 138) < 0.2 ? { seasonal: "yes" } : {}),
  };
}

const potableTags = (potable: boolean | null | undefined): Tags =>
  potable === null || potable === undefined ? {} : { drinking_water: potable ? "yes" : "no" };

/** The network is an attribute of the place that has it. */
function wifiTags({ key }: ServiceThing): Tags {
  return {
    ...pick<Tags>(
      [
        { amenity: "cafe" },
        { amenity: "cafe", cuisine: "coffee_shop" },
        { amenity: "library" },
        { tourism: "hotel" },
        { amenity: "internet_cafe" },
      ],
      hash(key, 139),
    ),
    internet_access: pick(
      ["wlan", "wlan", "wlan", "wlan;terminal", "terminal; wlan", "wifi", "WLAN"],
      hash(key, 140),
    ),
    ...pick<Tags>(
      [
        {},
        { "internet_access:fee": "no" },
        { "internet_access:fee": "customers" },
        { "internet_access:fee": "yes" },
      ],
      hash(key, 141),
    ),
    ...(unit(key, 142) < 0.3 ? { "internet_access:ssid": `guest-${key % 1000}` } : {}),
  };
}

const PARKING_KINDS = {
  garage: ["multi-storey", "underground", "multi-storey", "garage_boxes"],
  lot: ["surface", "surface", "rooftop"],
  street: ["street_side", "lane", "on_kerb", "half_on_kerb", "layby"],
} as const;

function parkingTags({ key, parking }: ServiceThing): Tags {
  if (parking === undefined) return {};
  const { kind, fee, capacity } = parking;
  return {
    amenity: "parking",
    // Lots are often just parkings.
    ...(kind === "lot" && unit(key, 143) < 0.3
      ? {}
      : { parking: pick<string>(PARKING_KINDS[kind], hash(key, 144)) }),
    ...(fee === null ? {} : { fee: fee ? pick(PAID, hash(key, 145)) : "no" }),
    ...(capacity === null ? {} : { capacity: String(capacity) }),
    ...(unit(key, 146) < 0.2 ? { "capacity:disabled": String(1 + (key % 4)) } : {}),
    ...(unit(key, 147) < 0.2 ? { maxstay: "2 hours" } : {}),
    ...(unit(key, 148) < 0.1 ? { park_ride: "yes" } : {}),
  };
}

const PAID = ["yes", "yes", "yes", "Mo-Sa 08:00-19:00", "interval"] as const;

function lockerTags(thing: ServiceThing): Tags {
  const { key, operator } = thing;
  return {
    amenity: "parcel_locker",
    ...(unit(key, 149) < 0.8 ? { brand: operator } : {}),
    ...(isInInpost(thing) && unit(key, 150) < 0.6 ? { ref: inpostNameOf(thing) } : {}),
    ...(unit(key, 151) < 0.4 ? { parcel_mail_in: "yes" } : {}),
  };
}
