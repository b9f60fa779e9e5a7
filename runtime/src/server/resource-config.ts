import type { Annotations, Icon, InputResponses, ReadResourceResult } from "../authoring.js";
import type { InputRequired } from "../input-requests/input-required.js";
import type { MatchedVariables } from "../uri-template.js";
import type { CacheHint } from "./cache-hint.js";
import type { ServerContext } from "./contracts.js";
import type { InputRequestsCallback } from "./input-requests-callback.js";
import type { RegisteredItem } from "./registry.js";
import type { ResourceTemplate } from "./resource-template.js";

/** The description of a resource in addition to its name and URI. */
export interface ResourceMetadata {
  /** The name for display; `name` is the identifier. */
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: Icon[];
  /** Size in bytes, if known. */
  readonly size?: number;
  readonly _meta?: Record<string, unknown>;
}

export interface ResourceConfig extends ResourceMetadata {
  /** How long clients may cache the contents. */
  readonly cacheHint?: CacheHint;
  /**
   * The OAuth scopes that a client needs to read the resource or to subscribe to its changes. They are checked over HTTP only, by
   * the option `authorization`. Default: none.
   */
  readonly scopes?: readonly string[];
  /** Requests input from the user before the resource is read. */
  readonly inputRequests?: InputRequestsCallback<URL>;
}

/** The result of reading a resource; the runtime adds the other members that the client's revision requires. */
export type ResourceResult = Pick<ReadResourceResult, "contents" | "_meta"> & Partial<CacheHint>;
// Callbacks spell out this union, for the reason given at `ToolCallbackResult` in `tool-config.ts`.
export type ResourceOutcome = ResourceResult | InputRequired;

/** Reads a resource. `responses` contains the responses to the `inputRequests`. */
export type ReadResourceCallback = (
  uri: URL,
  context: ServerContext,
  responses: InputResponses,
) => ResourceResult | InputRequired | Promise<ResourceOutcome>;

/** Reads a resource of a template; throw `ResourceNotFoundError` when no resource has these variables. */
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: MatchedVariables,
  context: ServerContext,
  responses: InputResponses,
) => ResourceResult | InputRequired | Promise<ResourceOutcome>;

export interface ResourceUpdate extends ResourceConfig {
  readonly name?: string;
  readonly uri?: string;
  readonly callback?: ReadResourceCallback;
}

export interface ResourceTemplateUpdate extends ResourceConfig {
  readonly name?: string;
  readonly template?: ResourceTemplate;
  readonly callback?: ReadResourceTemplateCallback;
}

export type RegisteredResource = RegisteredItem<ResourceUpdate>;
export type RegisteredResourceTemplate = RegisteredItem<ResourceTemplateUpdate>;
