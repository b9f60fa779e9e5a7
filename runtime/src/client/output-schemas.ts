import type { CallToolOutcome, Tool } from "../authoring.js";
import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { formatIssues } from "../schema/format-issues.js";
import type { CompiledJsonSchema, JsonSchemaValidator } from "../schema/json-schema-validator.js";

/** The output schemas that a server has listed, to hold its tools against them. */
export class OutputSchemas {
  /** By the name of the tool; compiled when it is first called. */
  readonly #listed = new Map<
    string,
    { readonly schema: NonNullable<Tool["outputSchema"]>; check?: CompiledJsonSchema }
  >();

  /** @param report told of schemas that cannot be used */
  constructor(
    readonly validator: JsonSchemaValidator | undefined,
    readonly report: (error: unknown) => void,
  ) {}

  /** There is another server now. */
  clear(): void {
    this.#listed.clear();
  }

  addTools(tools: readonly Tool[]): void {
    if (!this.validator) return;
    for (const { name, outputSchema: schema } of tools) {
      if (schema) this.#listed.set(name, { schema });
      else this.#listed.delete(name);
    }
  }

  /**
   * What a tool has answered, if its output fits.
   *
   * Where the schema cannot be used, the output goes unchecked: the tool has run, and its result would be lost.
   * @throws SdkError `INVALID_RESULT` when the output breaks its schema
   */
  checkOutcome(name: string, outcome: CallToolOutcome): CallToolOutcome {
    const listed = this.#listed.get(name);
    if (!listed || !this.validator || outcome.resultType !== "complete" || outcome.isError) return outcome;
    const { structuredContent } = outcome;
    let check: CompiledJsonSchema;
    try {
      check = listed.check ??= this.validator.compile(listed.schema);
    } catch (error) {
      this.#listed.delete(name);
      const message = `the output of tool "${name}" is not checked: ${toError(error).message}`;
      this.report(new SdkError("INVALID_CONFIGURATION", message, listed.schema, { cause: error }));
      return outcome;
    }
    if (structuredContent === undefined)
      throw new SdkError("INVALID_RESULT", `tool "${name}" gave no structuredContent`);
    const issues = check(structuredContent);
    if (issues.length > 0)
      throw new SdkError(
        "INVALID_RESULT",
        `tool "${name}" broke its outputSchema: ${formatIssues(issues)}`,
        structuredContent,
      );
    return outcome;
  }
}
