import type * as z from "zod/v4";
import type { ServerContext } from "../shared/contexts.js";
import type {
  CallToolResult,
  GetPromptResult,
  Icon,
  InputRequiredResult,
  ReadResourceResult,
  Resource,
  Result,
  ToolAnnotations,
  ToolExecution,
} from "../types/index.js";
import type { StandardSchemaWithJSON, ZodRawShape } from "../shared/standard-schema.js";
import type { Variables } from "../shared/uri-template.js";
import type { ResourceTemplate } from "./resource-template.js";
import type { ScopeChallengeHandler } from "./scope-challenge.js";
import type { CacheHint } from "./server-options.js";

type Awaitable<T> = T | Promise<T>;

export type InferRawShape<Shape extends ZodRawShape> = z.infer<z.ZodObject<Shape>>;

export type BaseToolCallback<
  SendResult extends Result,
  Context extends ServerContext,
  Args extends StandardSchemaWithJSON | undefined,
> = Args extends StandardSchemaWithJSON
  ? (args: StandardSchemaWithJSON.InferOutput<Args>, ctx: Context) => SendResult | Promise<SendResult>
  : (ctx: Context) => SendResult | Promise<SendResult>;

/** Runs a tool: with its arguments if it has a schema. */
export type ToolCallback<Args extends StandardSchemaWithJSON | undefined = undefined> = BaseToolCallback<
  CallToolResult | InputRequiredResult,
  ServerContext,
  Args
>;
export type AnyToolHandler<Args extends StandardSchemaWithJSON | undefined = undefined> = ToolCallback<Args>;

export type LegacyToolCallback<Args extends ZodRawShape | undefined> = Args extends ZodRawShape
  ? (args: InferRawShape<Args>, ctx: ServerContext) => Awaitable<CallToolResult | InputRequiredResult>
  : (ctx: ServerContext) => Awaitable<CallToolResult | InputRequiredResult>;

/** Returns the messages of a prompt: for its arguments if it has a schema. */
export type PromptCallback<Args extends StandardSchemaWithJSON | undefined = undefined> =
  Args extends StandardSchemaWithJSON
    ? (
        args: StandardSchemaWithJSON.InferOutput<Args>,
        ctx: ServerContext,
      ) => Awaitable<GetPromptResult | InputRequiredResult>
    : (ctx: ServerContext) => Awaitable<GetPromptResult | InputRequiredResult>;

export type LegacyPromptCallback<Args extends ZodRawShape | undefined> = Args extends ZodRawShape
  ? (args: InferRawShape<Args>, ctx: ServerContext) => Awaitable<GetPromptResult | InputRequiredResult>
  : (ctx: ServerContext) => Awaitable<GetPromptResult | InputRequiredResult>;

export type ResourceMetadata = Omit<Resource, "uri" | "name">;
export type ReadResourceCallback = (
  uri: URL,
  ctx: ServerContext,
) => Awaitable<ReadResourceResult | InputRequiredResult>;
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  ctx: ServerContext,
) => Awaitable<ReadResourceResult | InputRequiredResult>;

interface Registered {
  enabled: boolean;
  enable(): void;
  disable(): void;
  remove(): void;
}

interface Shown {
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  _meta?: Record<string, unknown> | undefined;
}

export interface RegisteredTool extends Registered, Shown {
  inputSchema?: StandardSchemaWithJSON | undefined;
  outputSchema?: StandardSchemaWithJSON | undefined;
  outputSchemaJson?: Record<string, unknown> | undefined;
  annotations?: ToolAnnotations | undefined;
  execution?: ToolExecution | undefined;
  scopeChallenge?: ScopeChallengeHandler | undefined;
  handler: AnyToolHandler<StandardSchemaWithJSON | undefined>;
  executor: (args: unknown, ctx: ServerContext) => Promise<CallToolResult | InputRequiredResult>;
  /** Changes the given members; a `name` of null removes the tool. Clients are notified. */
  update(
    updates: Shown & {
      name?: string | null;
      paramsSchema?: StandardSchemaWithJSON;
      outputSchema?: StandardSchemaWithJSON;
      annotations?: ToolAnnotations;
      scopeChallenge?: ScopeChallengeHandler | null;
      callback?: ToolCallback<StandardSchemaWithJSON>;
      enabled?: boolean;
    },
  ): void;
}

export interface RegisteredPrompt extends Registered, Shown {
  argsSchema?: StandardSchemaWithJSON | undefined;
  scopeChallenge?: ScopeChallengeHandler | undefined;
  handler: (
    args: Record<string, unknown> | undefined,
    ctx: ServerContext,
  ) => Promise<GetPromptResult | InputRequiredResult>;
  update<Args extends StandardSchemaWithJSON>(
    updates: Shown & {
      name?: string | null;
      argsSchema?: Args;
      scopeChallenge?: ScopeChallengeHandler | null;
      callback?: PromptCallback<Args>;
      enabled?: boolean;
    },
  ): void;
}

export interface RegisteredResource extends Registered {
  name: string;
  title?: string | undefined;
  metadata?: ResourceMetadata | undefined;
  cacheHint?: CacheHint | undefined;
  scopeChallenge?: ScopeChallengeHandler | undefined;
  readCallback: ReadResourceCallback;
  update(updates: {
    name?: string;
    title?: string;
    uri?: string | null;
    metadata?: ResourceMetadata;
    scopeChallenge?: ScopeChallengeHandler | null;
    callback?: ReadResourceCallback;
    enabled?: boolean;
  }): void;
}

export interface RegisteredResourceTemplate extends Registered {
  resourceTemplate: ResourceTemplate;
  title?: string | undefined;
  metadata?: ResourceMetadata | undefined;
  cacheHint?: CacheHint | undefined;
  scopeChallenge?: ScopeChallengeHandler | undefined;
  readCallback: ReadResourceTemplateCallback;
  update(updates: {
    name?: string | null;
    title?: string;
    template?: ResourceTemplate;
    metadata?: ResourceMetadata;
    scopeChallenge?: ScopeChallengeHandler | null;
    callback?: ReadResourceTemplateCallback;
    enabled?: boolean;
  }): void;
}
