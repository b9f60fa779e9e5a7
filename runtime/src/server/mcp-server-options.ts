import type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
import type { CoreServerOptions, ServerOptions } from "./server-options.js";

export interface McpServerOptions extends ServerOptions {
  /** Items on a page of a list; what the `list` of a template gives all comes on the last one. Default 1,000. */
  readonly pageSize?: number;
  /** Checks tool and prompt arguments that are described by plain JSON Schema; `ajvValidator()`, for example. */
  readonly jsonSchemaValidator?: JsonSchemaValidator;
}

export type CoreMcpServerOptions = McpServerOptions & CoreServerOptions;
