import type {
  CallToolResult,
  GetPromptResult,
  ListResourcesResult,
  Notification,
  ReadResourceResult,
  Request,
  Resource,
  ToolAnnotations,
  ToolExecution,
} from "../messages.js";
import type { TemplateOf } from "../../server/resource-template.js";
import type { Variables } from "../../shared/uri-template.js";
import type { ToolTaskHandler } from "../experimental/tasks/interfaces.js";
import type { RequestHandlerExtra } from "../shared/protocol.js";
import type { AnyObjectSchema, AnySchema, SchemaOutput, ShapeOutput, ZodRawShapeCompat } from "./zod-compat.js";

export type { CompleteResourceTemplateCallback } from "../../server/resource-template.js";
export type Extra = RequestHandlerExtra<Request, Notification>;
type MaybePromise<T> = T | Promise<T>;

export type BaseToolCallback<
  SendResultT,
  ExtraT extends Extra,
  Args extends undefined | ZodRawShapeCompat | AnySchema,
> = Args extends ZodRawShapeCompat
  ? (args: ShapeOutput<Args>, extra: ExtraT) => MaybePromise<SendResultT>
  : Args extends AnySchema
    ? (args: SchemaOutput<Args>, extra: ExtraT) => MaybePromise<SendResultT>
    : (extra: ExtraT) => MaybePromise<SendResultT>;

/** The callback of a tool: with arguments if the tool has a schema. */
export type ToolCallback<Args extends undefined | ZodRawShapeCompat | AnySchema = undefined> = BaseToolCallback<
  CallToolResult,
  Extra,
  Args
>;

export type AnyToolHandler<Args extends undefined | ZodRawShapeCompat | AnySchema = undefined> =
  ToolCallback<Args> | ToolTaskHandler<Args>;

export interface RegisteredTool {
  title?: string | undefined;
  description?: string | undefined;
  inputSchema?: AnySchema | undefined;
  outputSchema?: AnySchema | undefined;
  annotations?: ToolAnnotations | undefined;
  execution?: ToolExecution | undefined;
  _meta?: Record<string, unknown> | undefined;
  handler: AnyToolHandler<undefined | ZodRawShapeCompat>;
  enabled: boolean;
  enable(): void;
  disable(): void;
  /** Changes the tool; `name: null` removes it. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature of the official SDK
  update<InputArgs extends ZodRawShapeCompat, OutputArgs extends ZodRawShapeCompat>(updates: {
    name?: string | null | undefined;
    title?: string | undefined;
    description?: string | undefined;
    paramsSchema?: InputArgs | undefined;
    outputSchema?: OutputArgs | undefined;
    annotations?: ToolAnnotations | undefined;
    _meta?: Record<string, unknown> | undefined;
    callback?: ToolCallback<InputArgs> | undefined;
    enabled?: boolean | undefined;
  }): void;
  remove(): void;
}

/** The members of a listed resource, except its URI and name. */
export type ResourceMetadata = Omit<Resource, "uri" | "name">;
export type ListResourcesCallback = (extra: Extra) => MaybePromise<ListResourcesResult>;
export type ReadResourceCallback = (uri: URL, extra: Extra) => MaybePromise<ReadResourceResult>;
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  extra: Extra,
) => MaybePromise<ReadResourceResult>;
export interface RegisteredResource {
  name: string;
  title?: string | undefined;
  metadata?: ResourceMetadata | undefined;
  readCallback: ReadResourceCallback;
  enabled: boolean;
  enable(): void;
  disable(): void;
  /** Changes the resource; `uri: null` removes it. */
  update(updates: {
    name?: string | undefined;
    title?: string | undefined;
    uri?: string | null | undefined;
    metadata?: ResourceMetadata | undefined;
    callback?: ReadResourceCallback | undefined;
    enabled?: boolean | undefined;
  }): void;
  remove(): void;
}

export interface RegisteredResourceTemplate {
  resourceTemplate: TemplateOf<ListResourcesCallback>;
  title?: string | undefined;
  metadata?: ResourceMetadata | undefined;
  readCallback: ReadResourceTemplateCallback;
  enabled: boolean;
  enable(): void;
  disable(): void;
  /** Changes the template; `name: null` removes it. */
  update(updates: {
    name?: string | null | undefined;
    title?: string | undefined;
    template?: TemplateOf<ListResourcesCallback> | undefined;
    metadata?: ResourceMetadata | undefined;
    callback?: ReadResourceTemplateCallback | undefined;
    enabled?: boolean | undefined;
  }): void;
  remove(): void;
}

/** The callback of a prompt: with arguments if the prompt has a schema. */
export type PromptCallback<Args extends undefined | ZodRawShapeCompat = undefined> = Args extends ZodRawShapeCompat
  ? (args: ShapeOutput<Args>, extra: Extra) => MaybePromise<GetPromptResult>
  : (extra: Extra) => MaybePromise<GetPromptResult>;

export interface RegisteredPrompt {
  title?: string | undefined;
  description?: string | undefined;
  argsSchema?: AnyObjectSchema | undefined;
  callback: PromptCallback<undefined | ZodRawShapeCompat>;
  enabled: boolean;
  enable(): void;
  disable(): void;
  /** Changes the prompt; `name: null` removes it. */
  update<Args extends ZodRawShapeCompat>(updates: {
    name?: string | null | undefined;
    title?: string | undefined;
    description?: string | undefined;
    argsSchema?: Args | undefined;
    callback?: PromptCallback<Args> | undefined;
    enabled?: boolean | undefined;
  }): void;
  remove(): void;
}
