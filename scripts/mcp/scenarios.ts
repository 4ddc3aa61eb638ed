/** Which scenarios of the conformance suite concern a server, as it is, and why the others do not. */

export const APPLICABLE = [
  ...["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"],
] as const;

const FIXTURE = "asks for a tool or resource of the suite's own, named test_*";
const SESSION = "needs a session; ours has none, and the suite warns and goes no further";

/** Reasons by scenario; one that is neither here nor applicable is new and must be judged. */
export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  "logging-set-level": "the capability logging is not offered",
  "completion-complete": "the capability completions is not offered",
  ...named(FIXTURE, [
    ...["tools-call-simple-text", "tools-call-image", "tools-call-audio"],
    ...["tools-call-embedded-resource", "tools-call-mixed-content", "tools-call-with-logging"],
    ...["tools-call-error", "tools-call-with-progress", "json-schema-2020-12"],
    ...["resources-read-text", "resources-read-binary", "resources-templates-read"],
  ]),
  ...named("the server asks its clients for nothing", [
    ...["tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults"],
    "elicitation-sep1330-enums",
  ]),
  ...named("nothing that could be subscribed to", [
    ...["resources-subscribe", "resources-unsubscribe"],
  ]),
  ...named("the capability prompts is not offered", [
    ...["prompts-list", "prompts-get-simple", "prompts-get-with-args"],
    ...["prompts-get-embedded-resource", "prompts-get-with-image"],
  ]),
  ...named(SESSION, ["server-sse-polling", "server-sse-multiple-streams"]),
};

function named(why: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, why]));
}
