import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "../../shared/json-schema-validator.js";
import { ErrorCode, McpError } from "../errors.js";
import type { CallToolResult, Tool } from "../messages.js";

/** What the last list of tools says about them. */
export class KnownTools {
  #tools = new Map<string, Tool>();
  readonly #validators = new Map<string, JsonSchemaValidator<unknown>>();
  #validator: jsonSchemaValidator | undefined;

  /** @param validator compiles the schemas of outputs. Default: ajv, loaded with the first of them */
  constructor(validator: jsonSchemaValidator | undefined) {
    this.#validator = validator;
  }

  set(tools: readonly Tool[]): void {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#validators.clear();
  }

  /** Whether calls of a tool can run as tasks, as far as the tool says. */
  canBeTask(name: string): boolean {
    const support = this.#tools.get(name)?.execution?.taskSupport;
    return support === "required" || support === "optional";
  }

  /** Whether calls of a tool must run as tasks. */
  mustBeTask(name: string): boolean {
    return this.#tools.get(name)?.execution?.taskSupport === "required";
  }

  /** @throws McpError when the output of a tool does not match its schema */
  async checkOutput(name: string, { structuredContent, isError }: CallToolResult): Promise<void> {
    const schema = this.#tools.get(name)?.outputSchema;
    if (!schema) return;
    if (!structuredContent && !isError)
      throw new McpError(
        ErrorCode.InvalidRequest,
        `Tool ${name} has an output schema but did not return structured content`,
      );
    if (!structuredContent) return;
    let problem: string | undefined;
    try {
      problem = (await this.#validatorOf(name, schema))(structuredContent).errorMessage;
    } catch (error) {
      if (error instanceof McpError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new McpError(ErrorCode.InvalidParams, `Failed to validate structured content: ${reason}`);
    }
    if (problem !== undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `Structured content does not match the tool's output schema: ${problem}`,
      );
  }

  async #validatorOf(name: string, schema: JsonSchemaType): Promise<JsonSchemaValidator<unknown>> {
    const known = this.#validators.get(name);
    if (known) return known;
    this.#validator ??= new (await import("../validation/ajv-provider.js")).AjvJsonSchemaValidator();
    const validator = this.#validator.getValidator(schema);
    this.#validators.set(name, validator);
    return validator;
  }
}
