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
import type { TaskSupport, ToolTaskOptions } from "./tool-task-options.js";

export interface ToolConfig<
  Input extends OptionalSchema = OptionalSchema,
  Output extends OptionalSchema = OptionalSchema,
  Requests extends InputRequests = InputRequests,
> {
  /** The name for display; `name` is the identifier. */
  readonly title?: string;
  readonly description?: string;
  /** Schema of the arguments. Default: no arguments. */
  readonly inputSchema?: Input;
  /** Schema of `structuredContent`. A result without `structuredContent`, or one that does not match, is not sent. */
  readonly outputSchema?: Output;
  readonly annotations?: ToolAnnotations;
  readonly icons?: Icon[];
  readonly _meta?: Record<string, unknown>;
  /**
   * The OAuth scopes that a client needs to call the tool. They are checked over HTTP only, by the option `authorization`. Default: none.
   */
  readonly scopes?: readonly string[];
  /** Whether calls can run as tasks, which outlive their request. Needs `extensions: [tasks()]` of `@mcpwright/runtime/tasks`. */
  readonly task?: TaskSupport | ToolTaskOptions;
  /** Requests input from the user before the tool runs. */
  readonly inputRequests?: InputRequestsCallback<ToolArguments<Input>, Requests>;
}

export type ToolArguments<Input> = Input extends AuthorSchema ? SchemaOutput<Input> : Record<string, never>;

/** The result of a tool; the runtime adds the other members that the client's revision requires. */
export interface ToolResult<Structured = unknown> {
  /** Content for the model. Default: `structuredContent` as JSON text. */
  readonly content?: CallToolResult["content"];
  /** A JSON value. Clients of older revisions receive it only when it is an object. */
  readonly structuredContent?: Structured;
  /** Whether the tool failed; the content then contains the reason for the model. */
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

export type ToolOutcome<Structured = unknown> = ToolResult<Structured> | InputRequired;
// Spelled out, because with a union that names another one the compiler checks the promises of async callbacks twice.
export type ToolCallbackResult<Output> =
  ToolResult<SchemaInput<Output>> | InputRequired | Promise<ToolOutcome<SchemaInput<Output>>>;

/** Runs a tool. `responses` contains the responses to the `inputRequests`. */
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

/** The changes that `update` accepts. A new schema needs a matching callback. */
export interface ToolUpdate<
  Input extends OptionalSchema = OptionalSchema,
  Output extends OptionalSchema = OptionalSchema,
  Requests extends InputRequests = InputRequests,
> extends ToolConfig<Input, Output, Requests> {
  readonly name?: string;
  readonly callback?: ToolCallback<Input, Output, Requests>;
}
