/** Errors of our own making in this layer: a code of the symptom table (symptoms.ts), no prose. */
export type FaultCode =
  | "URL_DENIED"
  | "HOST_DENIED"
  | "EGRESS_DENIED"
  | "REDIRECT_DENIED"
  | "TOO_MANY_REDIRECTS"
  | "HEADERS_TIMEOUT"
  | "DEADLINE"
  | "ABORTED"
  | "BODY_TOO_LARGE"
  | "RATIO_TOO_HIGH"
  | "BAD_ENCODING"
  | "OAUTH_REFUSED"
  | "OAUTH_FAILED";

export type Fault = Error & { code: FaultCode };

export function fault(code: FaultCode): Fault {
  return Object.assign(new Error(code), { code });
}

/** Reports whether a signal was aborted because the time was up. */
export function isDeadline(reason: unknown): boolean {
  return reason instanceof Error && "code" in reason && reason.code === "DEADLINE";
}
