import type { GetPromptResult, Icon, InputRequests } from "../authoring.js";
import type { InputResponsesFor, InputRequired } from "../input-requests/input-required.js";
import type {
  AuthorSchema,
  OptionalSchema,
  SchemaOutput,
  SchemaShape,
  UnwrappedShapeError,
} from "../schema/author-schema.js";
import type { Completers } from "./completions.js";
import type { ServerContext } from "./contracts.js";
import type { InputRequestsCallback } from "./input-requests-callback.js";
import type { RegisteredItem } from "./registry.js";

export interface PromptConfig<
  Args extends OptionalSchema = OptionalSchema,
  Requests extends InputRequests = InputRequests,
> {
  /** The name for display; `name` is the identifier. */
  readonly title?: string;
  readonly description?: string;
  /** Schema of the arguments, whose values are strings in the protocol. Default: no arguments. */
  readonly argsSchema?: Args;
  readonly icons?: Icon[];
  readonly _meta?: Record<string, unknown>;
  /**
   * The OAuth scopes that a client needs to get the prompt. They are checked over HTTP only, by the option `authorization`. Default: none.
   */
  readonly scopes?: readonly string[];
  /** Completers that suggest values of arguments. */
  readonly complete?: Completers;
  /** Requests input from the user before the callback runs. */
  readonly inputRequests?: InputRequestsCallback<
    Args extends AuthorSchema ? SchemaOutput<Args> : Record<string, never>,
    Requests
  >;
}

export type PromptResult = Pick<GetPromptResult, "messages" | "description" | "_meta">;
// Callbacks spell out this union, for the reason given at `ToolCallbackResult` in `tool-config.ts`.
export type PromptOutcome = PromptResult | InputRequired;

/** Creates a prompt. `responses` contains the responses to the `inputRequests`. */
export type PromptCallback<
  Args extends OptionalSchema = undefined,
  Requests extends InputRequests = InputRequests,
> = Args extends SchemaShape
  ? UnwrappedShapeError
  : Args extends AuthorSchema
    ? (
        args: SchemaOutput<Args>,
        context: ServerContext,
        responses: InputResponsesFor<Requests>,
      ) => PromptResult | InputRequired | Promise<PromptOutcome>
    : (
        context: ServerContext,
        responses: InputResponsesFor<Requests>,
      ) => PromptResult | InputRequired | Promise<PromptOutcome>;

/** The changes that `update` accepts. A new schema needs a matching callback. */
export interface PromptUpdate<
  Args extends OptionalSchema = OptionalSchema,
  Requests extends InputRequests = InputRequests,
> extends PromptConfig<Args, Requests> {
  readonly name?: string;
  readonly callback?: PromptCallback<Args, Requests>;
}

export interface RegisteredPrompt<Args extends OptionalSchema = OptionalSchema> extends RegisteredItem<never> {
  update<NewArgs extends OptionalSchema = Args, Requests extends InputRequests = InputRequests>(
    changes: PromptUpdate<NewArgs, Requests>,
  ): void;
}
