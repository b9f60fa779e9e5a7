import { Validator } from "@cfworker/json-schema";
import {
  cfworkerValidator,
  type JsonSchemaValidator as NativeValidator,
} from "@mcpwright/runtime/json-schema-cfworker";
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "../json-schema-validator.js";
import { toOfficialValidator } from "./issues-text.js";

export type CfWorkerSchemaDraft = "4" | "7" | "2019-09" | "2020-12";

/** The dialects of the drafts that a program can choose. */
const dialects: Readonly<Partial<Record<CfWorkerSchemaDraft, string>>> = {
  "7": "http://json-schema.org/draft-07/schema#",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
};

/** Checks values without `new Function`, so also on hosts that forbid it. */
export class CfWorkerJsonSchemaValidator implements jsonSchemaValidator {
  readonly #dialect: string | undefined;
  readonly #native: NativeValidator = cfworkerValidator(Validator, { untrusted: false });

  /**
   * @param options `draft` is the dialect of schemas that name none, by default 2020-12. Checks always stop at the first problem
   * @throws TypeError for draft 4, which the runtime does not have
   */
  constructor({ draft }: { shortcircuit?: boolean; draft?: CfWorkerSchemaDraft } = {}) {
    this.#dialect = draft && dialects[draft];
    if (draft && !this.#dialect) throw new TypeError(`Schemas of draft ${draft} are not supported: use 7 or later`);
  }

  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const dialect = this.#dialect;
    const named = dialect === undefined || schema["$schema"] !== undefined ? schema : { $schema: dialect, ...schema };
    return toOfficialValidator(this.#native.compile(named));
  }
}
