/** What a new description takes from those who rely on the old one (§9). */

export const BREAKING_RULES = {
  endpoint_removed: "an endpoint is gone",
  operation_removed: "a method of an endpoint is gone",
  entitlement_removed: "a way to call the operation is gone: anonymously, a credential or a scope",
  parameter_removed: "a parameter is gone",
  parameter_required: "a parameter must be given now",
  body_removed: "the body of the request is gone",
  body_required: "the body of the request must be given now",
  status_removed: "a status is gone",
  media_type_removed: "a content type is gone",
  header_removed: "a response header is gone",
  field_removed: "a field is gone",
  field_required: "a field that was optional is required now",
  field_optional: "a field that was always in the response is optional now",
  fields_refused: "fields beyond the listed ones are refused now",
  type_changed: "values have another type",
  variant_removed: "one of several forms is gone",
  value_removed: "a value of a closed list is gone",
  values_restricted: "the values that a request may carry are fewer",
  default_changed: "what is meant when the value is left out has changed",
  unjudged: "a keyword has changed that cannot be judged here",
} as const;

export type BreakingRule = keyof typeof BREAKING_RULES;

export type BreakingChange = {
  rule: BreakingRule;
  /** Where: `GET /v1/nearby`, then the parameter, the status or the field. */
  where: string;
  /** The rule in words, with what was and what is, where that says more. */
  message: string;
};

export function toBreaking(rule: BreakingRule, where: string, detail?: string): BreakingChange {
  const words = detail === undefined ? BREAKING_RULES[rule] : `${BREAKING_RULES[rule]} (${detail})`;
  return { rule, where, message: `${where}: ${words}` };
}
