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
  /** For people; `name` is for programs. */
  readonly title?: string;
  readonly description?: string;
  /** What the arguments must be; they are strings by nature. Absent: there are none. */
  readonly argsSchema?: Args;
  readonly icons?: Icon[];
  readonly _meta?: Record<string, unknown>;
  /** Suggests values of arguments. */
  readonly complete?: Completers;
  /** Asks the user before the prompt is made. */
  readonly inputRequests?: InputRequestsCallback<
    Args extends AuthorSchema ? SchemaOutput<Args> : Record<string, never>,
    Requests
  >;
}

export type PromptResult = Pick<GetPromptResult, "messages" | "description" | "_meta">;
// Callbacks spell it out, for the reason that `tool.ts` gives.
export type PromptOutcome = PromptResult | InputRequired;

/** Makes a prompt. `responses` holds the answers to the `inputRequests`. */
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

/** What `update` may change. A new schema wants a callback that fits. */
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
