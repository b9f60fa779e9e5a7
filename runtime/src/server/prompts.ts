import { PROMPTS_GET, PROMPTS_LIST } from "@mcpwright/protocol/names";
import type { InputResponses, Prompt, PromptArgument } from "../authoring.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import { isInputRequired } from "../input-requests/input-required.js";
import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import { isObject, ownMember } from "../jsonrpc/guards.js";
import { type PreparedSchema, prepareSchema, type Validated } from "../schema/author-schema.js";
import { formatIssues } from "../schema/format-issues.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { markHandled } from "../timing/mark-handled.js";
import type { Completers } from "./completions.js";
import type { ServerContext } from "./contracts.js";
import type { InputRequestsCallback } from "./input-requests-callback.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { omitNullish } from "./omit-nullish.js";
import type { PromptConfig } from "./prompt-config.js";
import { Registry, type Scoped } from "./registry.js";
import { runWithInputResponses } from "./run-with-input-responses.js";

/** A prompt with arguments of any type. */
interface AnyPrompt extends Omit<PromptConfig, "inputRequests"> {
  readonly name?: string;
  readonly inputRequests?: InputRequestsCallback<never>;
  readonly callback?: unknown;
}

interface PreparedPrompt {
  readonly definition: Prompt;
  readonly args: PreparedSchema | undefined;
  readonly complete: Completers;
  readonly config: AnyPrompt;
  readonly make: (args: unknown, context: ServerContext, responses: InputResponses) => unknown;
}

/** The prompts of a server, and the handlers of the two methods about them. */
export class Prompts {
  readonly registry: Registry<AnyPrompt, PreparedPrompt>;

  /** @param onCompleters called when a prompt has completers */
  constructor(
    readonly options: McpServerOptions,
    changed: (config: Scoped) => void,
    readonly onCompleters: () => void,
  ) {
    this.registry = new Registry({
      kind: "prompt",
      member: "prompts",
      pageSize: options.pageSize,
      prepare: (name, config) => this.#prepare(name, config),
      changed,
    });
  }

  handlers(): MethodHandlers {
    return {
      [PROMPTS_LIST]: this.registry.list,
      [PROMPTS_GET]: (params: { name: string; arguments?: Record<string, string> }, context: ServerContext) =>
        this.#get(params, context),
    };
  }

  #prepare(name: string, config: AnyPrompt): PreparedPrompt {
    const { title, description, argsSchema, icons, _meta, complete, callback } = config;
    if (typeof callback !== "function")
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `prompt "${name}" has no callback; call registerPrompt(name, { description, argsSchema }, callback)`,
      );
    const use = {
      where: `argsSchema of prompt "${name}"`,
      io: "input",
      validator: this.options.jsonSchemaValidator,
      rootObject: true,
    } as const;
    const args = argsSchema && prepareSchema(argsSchema, use);
    if (args) checkArguments(name, args);
    const make = callback as (...args: unknown[]) => unknown;
    if (complete) this.onCompleters();
    return {
      definition: omitNullish({
        name,
        title,
        description,
        arguments: args && argumentsOf(args.jsonSchema),
        icons,
        _meta,
      }) as Prompt,
      args,
      complete: complete ?? {},
      config,
      make: args ? make : (_args, context, responses) => make(context, responses),
    };
  }

  async #get(
    { name, arguments: args = {} }: { name: string; arguments?: object },
    context: ServerContext,
  ): Promise<unknown> {
    const prompt = this.registry.getOrThrow(name);
    const validated: Validated = prompt.args ? await prompt.args.validate(args) : { value: args };
    if (validated.issues) {
      const message = `Invalid arguments for prompt ${name}: ${formatIssues(validated.issues)}`;
      throw new ProtocolError(ErrorCode.InvalidParams, message);
    }
    const { value } = validated;
    const result = await runWithInputResponses(prompt.config.inputRequests, value as never, context, (responses) =>
      prompt.make(value, context, responses),
    );
    if (!isObject(result)) throw new TypeError(`the callback of prompt "${name}" must return an object`);
    if (!isInputRequired(result) && !Array.isArray(result["messages"]))
      throw new TypeError(`the callback of prompt "${name}" must return an array of messages`);
    return result;
  }
}

/** Converts an arguments schema to the argument list of a prompt. */
function argumentsOf({ properties, required }: Readonly<Record<string, unknown>>): PromptArgument[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const { title, description } = isObject(schema) ? schema : {};
    return {
      name,
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      required: needed.includes(name),
    };
  });
}

/** The JSON text of a value of each type that is not a string. */
const examples: Readonly<Record<string, string>> = {
  array: "[]",
  boolean: "true",
  integer: "1",
  null: "null",
  number: "1",
  object: "{}",
};

/** @throws SdkError `INVALID_CONFIGURATION` for an argument that accepts no strings: clients send only strings */
function checkArguments(prompt: string, { jsonSchema, validate }: PreparedSchema): void {
  const { properties } = jsonSchema;
  for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
    const { type } = isObject(schema) ? schema : {};
    const text = typeof type === "string" ? ownMember(examples, type) : undefined;
    // A schema that converts strings treats the text of a value like the value.
    const issues = (value: unknown): unknown => {
      const validated = markHandled(validate({ [name]: value }));
      return isPromiseLike(validated) ? undefined : validated.issues && formatIssues(validated.issues);
    };
    if (text !== undefined && issues(text) !== issues(JSON.parse(text)))
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `argsSchema of prompt "${prompt}": ${name} must accept strings, because clients send no other values; ` +
          "convert them, for example with z.coerce.number()",
      );
  }
}
