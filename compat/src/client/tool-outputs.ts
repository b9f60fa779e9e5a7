import { ProtocolError, ProtocolErrorCode } from "../shared/errors.js";
import type { JsonSchemaValidator, jsonSchemaValidator } from "../shared/json-schema-validator.js";
import type { CallToolResult, Tool } from "../types/index.js";

type Check = JsonSchemaValidator<unknown>;

/** The checks of the structured output of tools. */
export class ToolOutputs {
  readonly #schemas = new Map<string, NonNullable<Tool["outputSchema"]>>();
  readonly #checks = new Map<string, Check>();

  /** @param validator default: Ajv, which is loaded when the first tool has a schema */
  constructor(readonly validator: jsonSchemaValidator | undefined) {}

  clear(): void {
    this.#schemas.clear();
    this.#checks.clear();
  }

  /** Remembers the schemas of a list, in the place of all others. */
  setListed(tools: readonly Tool[]): void {
    this.clear();
    for (const { name, outputSchema } of tools) if (outputSchema) this.#schemas.set(name, outputSchema);
  }

  /**
   * Returns the check of a tool, or undefined if it has no schema.
   * @param tool the definition of the program, in the place of the listed one
   * @throws ProtocolError (or rejects) -32602 when the schema cannot be compiled
   */
  checkOf(name: string, tool: Tool | undefined): Check | undefined | Promise<Check> {
    const schema = tool ? tool.outputSchema : this.#schemas.get(name);
    if (!schema) return undefined;
    const known = tool ? undefined : this.#checks.get(name);
    return known ?? this.#compile(name, schema, tool === undefined);
  }

  async #compile(name: string, schema: NonNullable<Tool["outputSchema"]>, isListed: boolean): Promise<Check> {
    const validator = this.validator ?? (await ajv());
    try {
      const check: Check = validator.getValidator(schema);
      if (isListed) this.#checks.set(name, check);
      return check;
    } catch (error) {
      const why = (error instanceof Error ? error.message : String(error)).slice(0, 200);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool '${name}' has an invalid outputSchema: ${why}`);
    }
  }
}

/** @throws ProtocolError when a result does not have the output that the schema of its tool describes */
export function assertOutput(name: string, check: Check, result: CallToolResult): void {
  if (result.isError) return;
  const { structuredContent } = result;
  if (structuredContent === undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidRequest,
      `Tool ${name} has an output schema but did not return structured content`,
    );
  const { valid, errorMessage } = check(structuredContent);
  if (!valid)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Structured content does not match the tool's output schema: ${errorMessage}`,
    );
}

async function ajv(): Promise<jsonSchemaValidator> {
  const { AjvJsonSchemaValidator } = await import("../shared/validators/ajv.js");
  return new AjvJsonSchemaValidator();
}
