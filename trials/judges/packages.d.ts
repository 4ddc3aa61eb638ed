/**
 * What is used of the packages that judge: the types of everything are checked without them. Such a
 * declaration goes before that of the package, installed or not.
 */

declare module "gpt-tokenizer/encoding/o200k_base" {
  export function countTokens(text: string): number;
}

declare module "@redocly/openapi-core" {
  export type Problem = {
    ruleId: string;
    message: string;
    severity: "error" | "warn";
    location: readonly { pointer?: string }[];
  };
  export function createConfig(config: { extends: readonly string[] }): Promise<object>;
  export function lintFromString(request: { source: string; config: object }): Promise<Problem[]>;
}

declare module "opening_hours" {
  /** Some of what it reads is not in its own types. `mode` 2: points in time are read too. */
  export default class OpeningHours {
    constructor(value: string, place: object, mode: number);
    getState(at: Date): boolean;
    getUnknown(at: Date): boolean;
  }
}

declare module "s3rver" {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { name: string; configs: readonly string[] }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
