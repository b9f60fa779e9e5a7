import { TOOLS_CALL, TOOLS_LIST } from "@mcpwright/protocol/names";
import { checkQuestion } from "../ask/check.js";
import { type InputRequired, isInputRequired } from "../ask/question.js";
import type { CallToolResult, Icon, InputResponses, Tool, ToolAnnotations } from "../authoring.js";
import { hasCapability } from "../engine/capability.js";
import {
  ErrorCode,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  RemoteError,
  SdkError,
  UrlElicitationRequiredError,
} from "../engine/errors.js";
import { isObject } from "../engine/json-rpc.js";
import { isPromiseLike } from "../engine/messages.js";
import type { Handlers } from "../engine/routes.js";
import type { HeaderParam } from "../engine/transport.js";
import { headerParamsOf } from "../http/header-params.js";
import {
  type AuthorSchema,
  type PreparedSchema,
  prepareSchema,
  type SchemaOutput,
  type Validated,
} from "../schema/author-schema.js";
import { issuesText } from "../schema/issues-text.js";
import type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
import { type Ask, answered } from "./asking.js";
import type { ServerContext } from "./context.js";
import { ListCache } from "./list-cache.js";
import { type Registered, Registry } from "./registry.js";
import { visitFirst } from "./visit-first.js";

export interface ToolConfig<Input extends AuthorSchema | undefined = AuthorSchema | undefined> {
  /** For people; `name` is for programs. */
  readonly title?: string;
  readonly description?: string;
  /** What the arguments must be; absent: there are none. */
  readonly inputSchema?: Input;
  /** What `structuredContent` must be; a result without it, or that does not fit, is not sent. */
  readonly outputSchema?: AuthorSchema;
  readonly annotations?: ToolAnnotations;
  readonly icons?: Icon[];
  readonly _meta?: Record<string, unknown>;
  /** Asks the user before the tool runs. */
  readonly ask?: Ask<ToolArguments<Input>>;
}

export type ToolArguments<Input> = Input extends AuthorSchema ? SchemaOutput<Input> : Record<string, never>;

/** What a tool returns; the runtime adds what the client's revision wants besides. */
export interface ToolResult {
  /** May be left out where there is structured content: it is then repeated as JSON text. */
  readonly content?: CallToolResult["content"];
  /** Any JSON; in older revisions, clients get it only when it is an object. */
  readonly structuredContent?: unknown;
  /** The tool failed, and the content tells the model why. */
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

export type ToolOutcome = ToolResult | InputRequired;

/** Runs a tool. `given` holds the answers to what `ask` asked. */
export type ToolCallback<Input extends AuthorSchema | undefined = undefined> = Input extends AuthorSchema
  ? (args: SchemaOutput<Input>, context: ServerContext, given: InputResponses) => ToolOutcome | Promise<ToolOutcome>
  : (context: ServerContext, given: InputResponses) => ToolOutcome | Promise<ToolOutcome>;

export type RegisteredTool = Registered<ToolUpdate>;

/** What `update` may change. */
export interface ToolUpdate extends ToolConfig {
  readonly name?: string;
  readonly callback?: unknown;
}

interface ReadyTool {
  readonly definition: Tool;
  readonly input: PreparedSchema | undefined;
  readonly output: PreparedSchema | undefined;
  /** The arguments that HTTP clients repeat in headers. */
  readonly headers: readonly HeaderParam[];
  readonly ask: Ask<never> | undefined;
  readonly run: (args: unknown, context: ServerContext, given: InputResponses) => unknown;
}

export interface ToolsOptions {
  readonly pageSize: number;
  readonly jsonSchemaValidator: JsonSchemaValidator | undefined;
  readonly warn: (problem: string) => void;
}

/** The tools of a server, and the handlers of the two methods about them. */
export class Tools {
  readonly registry: Registry<ToolUpdate, ReadyTool>;
  readonly #lists = new ListCache();

  constructor(
    readonly options: ToolsOptions,
    changed: () => void,
  ) {
    this.registry = new Registry(
      "tool",
      (name, config) => this.#prepare(name, config),
      () => {
        this.#lists.clear();
        changed();
      },
    );
  }

  handlers(): Handlers {
    return {
      [TOOLS_LIST]: ({ cursor }: { cursor?: string }, context: ServerContext) =>
        this.#lists.answer(context, cursor, () => {
          const { items, nextCursor } = this.registry.page(cursor, this.options.pageSize);
          const tools = items.map(({ definition }) => definition);
          return nextCursor === undefined ? { tools } : { tools, nextCursor };
        }),
      [TOOLS_CALL]: (params: { name: string; arguments?: object }, context: ServerContext) =>
        this.#call(params, context),
    };
  }

  #prepare(name: string, config: ToolUpdate): ReadyTool {
    const { title, description, inputSchema, outputSchema, annotations, icons, _meta, ask, callback } = config;
    if (!/^[\w.-]{1,128}$/.test(name))
      this.options.warn(`tool name "${name}": names should be 1 to 128 letters, digits, _, - and .`);
    if (typeof callback !== "function") throw new SdkError("INVALID_CONFIGURATION", `tool "${name}" has no callback`);
    const validator = this.options.jsonSchemaValidator;
    const input =
      inputSchema &&
      prepareSchema(inputSchema, { where: `inputSchema of tool "${name}"`, io: "input", validator, rootObject: true });
    const output =
      outputSchema &&
      prepareSchema(outputSchema, {
        where: `outputSchema of tool "${name}"`,
        io: "output",
        validator,
        rootObject: false,
      });
    const definition: Tool = {
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      inputSchema: (input?.jsonSchema ?? { type: "object", additionalProperties: false }) as Tool["inputSchema"],
      ...(output && { outputSchema: output.jsonSchema }),
      ...(annotations && { annotations }),
      ...(icons && { icons }),
      ...(_meta && { _meta }),
    };
    const headers = headerParamsOf(definition.inputSchema);
    if ("problem" in headers)
      throw new SdkError("INVALID_CONFIGURATION", `inputSchema of tool "${name}": ${headers.problem}`);
    const run = callback as (...args: unknown[]) => unknown;
    return {
      definition,
      input,
      output,
      headers: headers.params,
      ask,
      run: input ? run : (_args, context, given) => run(context, given),
    };
  }

  #call({ name, arguments: args = {} }: { name: string; arguments?: object }, context: ServerContext): unknown {
    const tool = this.registry.get(name);
    if (!tool) throw new ProtocolError(ErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 200)}`);
    if (tool.headers.length > 0) context.extra?.gate?.called(tool.headers, args);
    if (!tool.input) return this.#run(tool, { value: args }, context);
    const validated = tool.input.validate(args);
    return isPromiseLike(validated)
      ? validated.then((known) => this.#run(tool, known, context))
      : this.#run(tool, validated, context);
  }

  #run(tool: ReadyTool, validated: Validated, context: ServerContext): unknown {
    if (validated.issues) {
      const message = `Invalid arguments for tool ${tool.definition.name}: ${issuesText(validated.issues)}`;
      if (context.client.side.profile.inputErrors === "result") return failure(message);
      throw new ProtocolError(ErrorCode.InvalidParams, message);
    }
    const { value } = validated;
    context.recover = toolError;
    let outcome: unknown;
    try {
      outcome = tool.ask
        ? answered(tool.ask, value as never, context, (given) => tool.run(value, context, given))
        : tool.run(value, context, context.inputResponses ?? {});
    } catch (error) {
      return toolError(error, context);
    }
    if (!isPromiseLike(outcome)) return finishTool(tool, outcome, context);
    return outcome.then(
      (result) => finishTool(tool, result, context),
      (error: unknown) => toolError(error, context),
    );
  }
}

/** A result that tells the model what went wrong. */
function failure(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * What a tool throws is for the model to read, with two exceptions: a `ProtocolError` is the answer itself, and what a
 * stateless-era client lacks is told it by code.
 */
function toolError(error: unknown, context: ServerContext): ToolOutcome {
  const visit = visitFirst(error, context);
  if (visit) return visit;
  const { session, side, capabilities } = context.client;
  if (error instanceof UrlElicitationRequiredError) {
    if (side.profile.urlCompletion && hasCapability(capabilities, "client.elicitation.url")) throw error;
    return failure(error.message);
  }
  const lacking = error instanceof MissingRequiredClientCapabilityError && session !== undefined;
  if (error instanceof ProtocolError && !(error instanceof RemoteError) && !lacking) throw error;
  return failure(error instanceof Error ? error.message : String(error));
}

/** A handshake-era client is not told by code what it lacks: that is a failure of the tool, for the model to read. */
function cannotAsk({ inputRequests = {} }: InputRequired, { client }: ServerContext): ToolResult | undefined {
  if (!client.session) return undefined;
  try {
    for (const question of Object.values(inputRequests)) checkQuestion(client.side, client.capabilities, question);
    return undefined;
  } catch (error) {
    return failure((error as Error).message);
  }
}

function finishTool(tool: ReadyTool, outcome: unknown, context: ServerContext): unknown {
  if (!isObject(outcome)) throw new TypeError(`tool "${tool.definition.name}" returned no object`);
  if (isInputRequired(outcome)) return cannotAsk(outcome, context) ?? outcome;
  const result = outcome as ToolResult;
  if (!tool.output || result.isError) return withContent(tool, result);
  if (result.structuredContent === undefined) throw badOutput(tool, "structuredContent is missing");
  const validated = tool.output.validate(result.structuredContent);
  const check = ({ issues }: Validated): unknown => {
    if (issues) throw badOutput(tool, issuesText(issues));
    return withContent(tool, result);
  };
  return isPromiseLike(validated) ? validated.then(check) : check(validated);
}

function withContent({ definition }: ReadyTool, result: ToolResult): ToolResult {
  const { structuredContent, content } = result;
  if (content === undefined && structuredContent === undefined)
    throw new TypeError(`tool "${definition.name}" returned neither content nor structuredContent`);
  const whole = content
    ? result
    : Object.assign({}, result, { content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }] });
  if (!Array.isArray(whole.content)) throw new TypeError(`tool "${definition.name}" returned content that is no array`);
  return whole;
}

function badOutput({ definition }: ReadyTool, problem: string): TypeError {
  return new TypeError(`tool "${definition.name}" returned what its outputSchema does not allow: ${problem}`);
}
