import type { CallToolResult, Icon, InputRequests, ToolAnnotations } from "../authoring.js";
import type { InputResponsesFor, InputRequired } from "../input-requests/input-required.js";
import type {
  AuthorSchema,
  OptionalSchema,
  SchemaInput,
  SchemaOutput,
  SchemaShape,
  UnwrappedShapeError,
} from "../schema/author-schema.js";
import type { ServerContext } from "./contracts.js";
import type { InputRequestsCallback } from "./input-requests-callback.js";
import type { RegisteredItem } from "./registry.js";

export interface ToolConfig<
  Input extends OptionalSchema = OptionalSchema,
  Output extends OptionalSchema = OptionalSchema,
  Requests extends InputRequests = InputRequests,
> {
  /** For people; `name` is for programs. */
  readonly title?: string;
  readonly description?: string;
  /** What the arguments must be; absent: there are none. */
  readonly inputSchema?: Input;
  /** What `structuredContent` must be; a result without it, or that does not fit, is not sent. */
  readonly outputSchema?: Output;
  readonly annotations?: ToolAnnotations;
  readonly icons?: Icon[];
  readonly _meta?: Record<string, unknown>;
  /** Asks the user before the tool runs. */
  readonly inputRequests?: InputRequestsCallback<ToolArguments<Input>, Requests>;
}

export type ToolArguments<Input> = Input extends AuthorSchema ? SchemaOutput<Input> : Record<string, never>;

/** What a tool returns; the runtime adds what the client's revision wants besides. */
export interface ToolResult<Structured = unknown> {
  /** May be left out where there is structured content: it is then repeated as JSON text. */
  readonly content?: CallToolResult["content"];
  /** Any JSON; in older revisions, clients get it only when it is an object. */
  readonly structuredContent?: Structured;
  /** The tool failed, and the content tells the model why. */
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

export type ToolOutcome<Structured = unknown> = ToolResult<Structured> | InputRequired;
// Spelled out: of a union that names another one, the compiler looks at the promises of async callbacks twice.
export type ToolCallbackResult<Output> =
  ToolResult<SchemaInput<Output>> | InputRequired | Promise<ToolOutcome<SchemaInput<Output>>>;

/** Runs a tool. `responses` holds the answers to the `inputRequests`. */
export type ToolCallback<
  Input extends OptionalSchema = undefined,
  Output extends OptionalSchema = OptionalSchema,
  Requests extends InputRequests = InputRequests,
> = Input extends SchemaShape
  ? UnwrappedShapeError
  : Input extends AuthorSchema
    ? (
        args: SchemaOutput<Input>,
        context: ServerContext,
        responses: InputResponsesFor<Requests>,
      ) => ToolCallbackResult<Output>
    : (context: ServerContext, responses: InputResponsesFor<Requests>) => ToolCallbackResult<Output>;

export interface RegisteredTool<
  Input extends OptionalSchema = OptionalSchema,
  Output extends OptionalSchema = OptionalSchema,
> extends RegisteredItem<never> {
  update<
    NewInput extends OptionalSchema = Input,
    NewOutput extends OptionalSchema = Output,
    Requests extends InputRequests = InputRequests,
  >(
    changes: ToolUpdate<NewInput, NewOutput, Requests>,
  ): void;
}

/** What `update` may change. A new schema wants a callback that fits. */
export interface ToolUpdate<
  Input extends OptionalSchema = OptionalSchema,
  Output extends OptionalSchema = OptionalSchema,
  Requests extends InputRequests = InputRequests,
> extends ToolConfig<Input, Output, Requests> {
  readonly name?: string;
  readonly callback?: ToolCallback<Input, Output, Requests>;
}
