import type { CallToolOutcome, Tool } from "../authoring.js";
import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { formatIssues } from "../schema/format-issues.js";
import type { CompiledJsonSchema, JsonSchemaValidator } from "../schema/json-schema-validator.js";

/** The output schemas that a server has listed; checks tool results against them. */
export class OutputSchemas {
  /** By tool name; compiled at the first call. */
  readonly #listed = new Map<
    string,
    { readonly schema: NonNullable<Tool["outputSchema"]>; check?: CompiledJsonSchema }
  >();

  /** @param onUnchecked called with the name of each tool whose schema cannot be compiled, and with the reason */
  constructor(
    readonly validator: JsonSchemaValidator | undefined,
    readonly onUnchecked: (name: string, error: SdkError) => void,
  ) {}

  /** Forgets all schemas, because the server may differ. */
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
   * Returns the result of a tool if its output matches the schema.
   *
   * If the schema cannot be compiled, the output is not checked: the tool has run, and rejecting would lose its result.
   * @throws SdkError `INVALID_RESULT` when the output does not match its schema
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
      this.onUnchecked(name, new SdkError("INVALID_CONFIGURATION", message, listed.schema, { cause: error }));
      return outcome;
    }
    if (structuredContent === undefined)
      throw new SdkError(
        "INVALID_RESULT",
        `tool "${name}" must return structuredContent, because it has an outputSchema`,
      );
    const issues = check(structuredContent);
    if (issues.length > 0)
      throw new SdkError(
        "INVALID_RESULT",
        `structuredContent of tool "${name}" does not match its outputSchema: ${formatIssues(issues)}`,
        structuredContent,
      );
    return outcome;
  }
}
