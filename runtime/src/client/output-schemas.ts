import type { CallToolResult, Tool } from "../authoring.js";
import { SdkError } from "../engine/errors.js";
import { issuesText } from "../schema/issues-text.js";
import type { CompiledJsonSchema, JsonSchemaValidator } from "../schema/json-schema-validator.js";

/** The output schemas that a server has listed, to hold its tools against them. */
export class OutputSchemas {
  readonly #schemas = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #checks = new Map<string, CompiledJsonSchema>();

  /** @param report told of schemas that cannot be used */
  constructor(
    readonly validator: JsonSchemaValidator | undefined,
    readonly report: (error: unknown) => void,
  ) {}

  /** There is another server now. */
  forget(): void {
    this.#schemas.clear();
    this.#checks.clear();
  }

  learn(tools: readonly Tool[]): void {
    if (!this.validator) return;
    for (const { name, outputSchema } of tools) {
      this.#checks.delete(name);
      if (outputSchema) this.#schemas.set(name, outputSchema);
      else this.#schemas.delete(name);
    }
  }

  /**
   * Where the schema cannot be used, the output goes unchecked: the tool has run, and its result would be lost.
   * @throws SdkError `INVALID_RESULT` when the output breaks its schema
   */
  check(name: string, { structuredContent, isError, resultType }: CallToolResult): void {
    const schema = this.#schemas.get(name);
    if (!schema || !this.validator || isError || resultType !== "complete") return;
    let check = this.#checks.get(name);
    if (!check) {
      try {
        check = this.validator.compile(schema);
      } catch (error) {
        this.#schemas.delete(name);
        const message = `the output of tool "${name}" is not checked: ${error instanceof Error ? error.message : String(error)}`;
        return this.report(new SdkError("INVALID_CONFIGURATION", message, schema, { cause: error }));
      }
      this.#checks.set(name, check);
    }
    if (structuredContent === undefined)
      throw new SdkError("INVALID_RESULT", `tool "${name}" gave no structuredContent`);
    const issues = check(structuredContent);
    if (issues.length > 0)
      throw new SdkError(
        "INVALID_RESULT",
        `tool "${name}" broke its outputSchema: ${issuesText(issues)}`,
        structuredContent,
      );
  }
}
