/** What registries and hosts read about the server of /mcp before they connect. */

export const SERVER_SUMMARY = {
  name: "vicinity",
  title: "Vicinity",
  description: "What can I use near this coordinate, right now? Live mobility and urban services.",
} as const;

/** How a host sends a key, as server.json and the server card describe it. */
export const API_KEY_HEADER = {
  name: "Authorization",
  description: "An API key of the deployment; without one, requests are anonymous.",
  value: "Bearer {api_key}",
  isSecret: true,
  isRequired: false,
  variables: { api_key: { description: "The API key.", isSecret: true } },
} as const;
