import type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
import type { CoreServerOptions, ServerOptions } from "./server-options.js";

export interface McpServerOptions extends ServerOptions {
  /** Items on a page of a list. The resources from `list` callbacks of templates are on the last page. Default: `1_000`. */
  readonly pageSize?: number;
  /** Validates tool and prompt arguments that are described by plain JSON Schema; for example `ajvValidator()`. */
  readonly jsonSchemaValidator?: JsonSchemaValidator;
}

export type CoreMcpServerOptions = McpServerOptions & CoreServerOptions;
