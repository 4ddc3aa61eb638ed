/** The API reference: the library reads the description and lets one try it. */
import { call } from "./data/api.js";
import { byId, fill } from "./page/dom.js";

const done = await call({ id: "openapi", title: "Description", path: "/openapi.json", query: {} });
if (done.problem === null) show(done.body);
else fill(byId("reference"), `The description cannot be read: ${done.problem}.`);

/** @param {any} spec */
function show(spec) {
  /** @type {any} */ (globalThis).SwaggerUIBundle({
    spec: withoutFillers(spec),
    dom_id: "#reference",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    syntaxHighlight: false,
  });
}

/** The library sends the examples of optional parameters too, were they there. @param {any} spec */
function withoutFillers(spec) {
  for (const path of Object.values(spec.paths)) {
    for (const operation of Object.values(path)) {
      for (const parameter of operation?.parameters ?? []) {
        if (parameter.required || parameter.name === "lon") continue;
        delete parameter.example;
        delete parameter.examples;
        if (parameter.schema)
          parameter.schema = {
            ...parameter.schema,
            default: undefined,
            examples: undefined,
            example: undefined,
          };
      }
    }
  }
  return spec;
}
