import type { Extension, ExtensionTypes } from "@mcpwright/protocol/contract";
import type { ServerCapabilities } from "../authoring.js";
import type { Change } from "../connection/change.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import type { Transport } from "../transport/transport.js";
import type { ServerConnection, ServerInternals } from "./contracts.js";
import type { RegisteredFeatures } from "./registered-features.js";
import type { ReadResourceTemplateCallback, ResourceConfig } from "./resource-config.js";
import type { ResourceTemplate } from "./resource-template.js";

/** The members of a server that its extensions use. */
export interface ServerHost extends ServerInternals {
  /** Registers handlers by method, for current and future connections. */
  handle(handlers: MethodHandlers): void;
  /** What an `McpServer` has registered. */
  readonly features: RegisteredFeatures;
  registerCapabilities(capabilities: ServerCapabilities): void;
  accept(transport: Transport): ServerConnection;
  /** Notifies the clients that have subscribed to the change. */
  notifyChanged(change: Change): void;
}

/** The members of an `McpServer` that its extensions use. */
export interface FeatureHost {
  registerResource(
    name: string,
    template: ResourceTemplate,
    config: ResourceConfig,
    callback: ReadResourceTemplateCallback,
  ): unknown;
}

/** An extension with a behaviour of its own on servers. Other extensions only define messages. */
export interface ServerExtension<Types extends ExtensionTypes = ExtensionTypes> extends Extension<Types> {
  /** Called once per server, at the end of its constructor. */
  attachServer?(server: ServerHost): void;
  /** Called once per `McpServer`, after `attachServer`: registers what the extension serves by methods of the revision. */
  attachFeatures?(features: FeatureHost): void;
}
