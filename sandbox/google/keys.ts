// API keys of the simulated Google Maps Platform: one that works, and some that are known for what
// they are refused for (places.md 1.1, 1.5).

export const API_KEY = "sandbox-google-key";

type Refusal = { readonly status: string; readonly error_message: string };

/** Reasons for which the Geocoding API refuses a key. */
export const KEYS = {
  missing: {
    status: "REQUEST_DENIED",
    error_message:
      "You must use an API key to authenticate each request to Google Maps Platform APIs. For additional information, please refer to http://g.co/dev/maps-no-account",
  },
  wrong: { status: "REQUEST_DENIED", error_message: "The provided API key is invalid." },
  unbilled: {
    status: "OVER_DAILY_LIMIT",
    error_message: "You must enable Billing on the Google Cloud Project.",
  },
  disabled: {
    status: "REQUEST_DENIED",
    error_message: "This API project is not authorized to use this API.",
  },
  over_quota: { status: "OVER_QUERY_LIMIT", error_message: "Please wait." },
} as const satisfies Readonly<Record<string, Refusal>>;

const SPECIAL: Readonly<Record<string, Refusal>> = {
  [`${API_KEY}-unbilled`]: KEYS.unbilled,
  [`${API_KEY}-disabled`]: KEYS.disabled,
  [`${API_KEY}-over-quota`]: KEYS.over_quota,
};

/** Null: it is good. */
export function refusesKey(key: string | string[] | null | undefined): Refusal | null {
  if (key === null || key === undefined || key === "") return KEYS.missing;
  if (key === API_KEY) return null;
  return SPECIAL[String(key)] ?? KEYS.wrong;
}
