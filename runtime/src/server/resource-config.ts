import type { Annotations, Icon, InputResponses, ReadResourceResult } from "../authoring.js";
import type { InputRequired } from "../input-requests/input-required.js";
import type { MatchedVariables } from "../uri-template.js";
import type { CacheHint } from "./cache-hint.js";
import type { ServerContext } from "./contracts.js";
import type { InputRequestsCallback } from "./input-requests-callback.js";
import type { RegisteredItem } from "./registry.js";
import type { ResourceTemplate } from "./resource-template.js";

/** What clients are told about a resource besides its name and URI. */
export interface ResourceMetadata {
  /** For people; `name` is for programs. */
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: Icon[];
  /** Bytes, when that is known. */
  readonly size?: number;
  readonly _meta?: Record<string, unknown>;
}

export interface ResourceConfig extends ResourceMetadata {
  /** How long clients may keep what is read. */
  readonly cacheHint?: CacheHint;
  /** Asks the user before the resource is read. */
  readonly inputRequests?: InputRequestsCallback<URL>;
}

/** What reading gives; the runtime adds what the client's revision wants besides. */
export type ResourceResult = Pick<ReadResourceResult, "contents" | "_meta"> & Partial<CacheHint>;
// Callbacks spell it out, for the reason that `tool.ts` gives.
export type ResourceOutcome = ResourceResult | InputRequired;

/** Reads a resource. `responses` holds the answers to the `inputRequests`. */
export type ReadResourceCallback = (
  uri: URL,
  context: ServerContext,
  responses: InputResponses,
) => ResourceResult | InputRequired | Promise<ResourceOutcome>;

/** Reads a resource of a template; throw `ResourceNotFoundError` when there is none with these variables. */
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
