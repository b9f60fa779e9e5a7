import type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
import type { CoreServerOptions, ServerOptions } from "./server-options.js";

export interface McpServerOptions extends ServerOptions {
  /** Items on a page of a list. `list` callbacks of templates divide their resources themselves. Default: `1_000`. */
  readonly pageSize?: number;
  /** Validates tool and prompt arguments that are described by plain JSON Schema; for example `ajvValidator()`. */
  readonly jsonSchemaValidator?: JsonSchemaValidator;
}

export type CoreMcpServerOptions = McpServerOptions & CoreServerOptions;
