import type { Given, InputRequired } from "../ask/question.js";
import type { GetPromptResult, Icon, InputRequests } from "../authoring.js";
import type { AuthorSchema, SchemaOutput, SchemaShape, WrapShape } from "../schema/author-schema.js";
import type { Ask } from "./asking.js";
import type { Completers } from "./completions.js";
import type { ServerContext } from "./context.js";
import type { Registered } from "./registry.js";

type Schema = AuthorSchema | undefined;

export interface PromptConfig<Args extends Schema = Schema, Asked extends InputRequests = InputRequests> {
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
  readonly ask?: Ask<Args extends AuthorSchema ? SchemaOutput<Args> : Record<string, never>, Asked>;
}

export type PromptResult = Pick<GetPromptResult, "messages" | "description" | "_meta">;
// Callbacks spell it out, for the reason that `tool.ts` gives.
export type PromptOutcome = PromptResult | InputRequired;

/** Makes a prompt. `given` holds the answers to what `ask` asked. */
export type PromptCallback<
  Args extends Schema = undefined,
  Asked extends InputRequests = InputRequests,
> = Args extends SchemaShape
  ? WrapShape
  : Args extends AuthorSchema
    ? (
        args: SchemaOutput<Args>,
        context: ServerContext,
        given: Given<Asked>,
      ) => PromptResult | InputRequired | Promise<PromptOutcome>
    : (context: ServerContext, given: Given<Asked>) => PromptResult | InputRequired | Promise<PromptOutcome>;

/** What `update` may change. A new schema wants a callback that fits. */
export interface PromptUpdate<
  Args extends Schema = Schema,
  Asked extends InputRequests = InputRequests,
> extends PromptConfig<Args, Asked> {
  readonly name?: string;
  readonly callback?: PromptCallback<Args, Asked>;
}

export interface RegisteredPrompt<Args extends Schema = Schema> extends Registered<never> {
  update<NewArgs extends Schema = Args, Asked extends InputRequests = InputRequests>(
    changes: PromptUpdate<NewArgs, Asked>,
  ): void;
}
