/** Types of <vicinity-map>; what its attributes mean is in README.md. */

/** A station or vehicle, as GET /v1/nearby/stream has it. Unknown is null or absent. */
export interface MapItem {
  id: string;
  kind: "station" | "vehicle";
  location: { lat: number; lon: number };
  modes: ("bicycle" | "scooter" | "moped" | "car")[];
  network_id: string;
  name?: string;
  state: string;
  pickup: "available_now" | "unavailable_now" | "unknown";
  return?: "available_now" | "unavailable_now" | "unknown";
  vehicles?: number | null;
  docks?: number | null;
  capacity?: number | null;
  /** Percent. */
  battery?: number | null;
  form_factor?: string | null;
}

/** Why the map, or something of it, is not shown. */
export interface MapFault {
  code: string;
  message: string;
  /** Until the next attempt; null or absent: there is none by itself. */
  wait_ms?: number | null;
  cause?: unknown;
}

export class VicinityMap extends HTMLElement {
  /** A map library of the page's own: the module maplibre-gl. */
  maplibregl: unknown;
  /** The map (a Map of maplibre-gl), to which the page may add; null: there is none now. */
  readonly map: unknown;
  /** What is known of the box. */
  readonly items: MapItem[];
  /** Words by name; those that are set replace the element's own. */
  texts: Record<string, string>;
  /** Shows the card of a thing; null: of none. */
  select(id: string | null): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "vicinity-map": VicinityMap;
  }
  interface HTMLElementEventMap {
    "vicinity-select": CustomEvent<MapItem>;
    "vicinity-error": CustomEvent<MapFault>;
  }
}
