import type { AnyExtensions, AnyRevisions } from "../connection/known-messages.js";
import type { Extension, Side } from "@mcpwright/protocol/contract";
import type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
import type { CoreServerOptions, ServerOptions } from "./server-options.js";

export interface McpServerOptions<
  Extensions extends readonly Extension[] = AnyExtensions,
> extends ServerOptions<Extensions> {
  /** Items on a page of a list. `list` callbacks of templates divide their resources themselves. Default: `1_000`. */
  readonly pageSize?: number;
  /** Validates tool and prompt arguments that are described by plain JSON Schema; for example `ajvValidator()`. */
  readonly jsonSchemaValidator?: JsonSchemaValidator;
}

export type CoreMcpServerOptions<
  Sides extends readonly Side[] = AnyRevisions,
  Extensions extends readonly Extension[] = AnyExtensions,
> = McpServerOptions<Extensions> & CoreServerOptions<Sides, Extensions>;
