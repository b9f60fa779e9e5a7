import { findClientIssues } from "@mcpwright/protocol/client-issues";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { conversions } from "@mcpwright/protocol/conversions";
import type { Extension, Side } from "@mcpwright/protocol/contract";
import type { Implementation } from "./authoring.js";
import type { AnyExtensions, AnyRevisions } from "./connection/known-messages.js";
import { Client as CoreClient, type ClientOptions, type CoreClientOptions } from "./client/core.js";

export * from "./client/core.js";

/**
 * A `Client` that supports every published revision, unless the options select others.
 * @example
 * ```ts
 * const client = new Client({ name: "my-host", version: "1.0.0" });
 * await client.connect(new StreamableHTTPClientTransport("http://localhost:3000/mcp"));
 * const { tools } = await client.listTools();
 * await client.close();
 * ```
 */
export class Client<
  const out Sides extends readonly Side[] = AnyRevisions,
  const out Extensions extends readonly Extension[] = AnyExtensions,
> extends CoreClient<Sides, Extensions> {
  constructor(
    info: Implementation,
    options: ClientOptions<Extensions> & Partial<CoreClientOptions<Sides, Extensions>> = {},
  ) {
    super(info, {
      ...options,
      revisions: options.revisions ?? (clientSides as Sides),
      conversions: options.conversions ?? conversions,
      findIssues: options.findIssues ?? findClientIssues,
    });
  }
}
