/** The contract as data: operations with their parameters, replies, errors and examples, and the client made from them. */
export { createClient } from "./client/client.ts";
export type { ClientOptions, Reply } from "./client/reply.ts";
export { type ErrorCode, errorRow } from "./errors.ts";
export { LIMITS } from "./limits.ts";
export type { Operation } from "./operation.ts";
export {
  type BodyAt,
  findOperation,
  listOperations,
  type OperationPath,
  type QueryAt,
  statusOf,
} from "./operations.ts";
export { toOpenApi } from "./openapi.ts";
