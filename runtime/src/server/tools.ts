import { TOOLS_CALL, TOOLS_LIST } from "@mcpwright/protocol/names";
import { checkQuestion } from "../ask/check.js";
import { type InputRequired, isInputRequired } from "../ask/question.js";
import type { InputResponses, Tool } from "../authoring.js";
import { reportTo } from "../engine/author-hooks.js";
import {
  ErrorCode,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  RemoteError,
  SdkError,
  UrlElicitationRequiredError,
} from "../engine/errors.js";
import { isObject } from "../engine/json-rpc.js";
import { asError, isPromiseLike } from "../engine/messages.js";
import type { Handlers } from "../engine/routes.js";
import type { HeaderParam } from "../engine/transport.js";
import { headerParamsOf } from "../http/header-params.js";
import { type PreparedSchema, prepareSchema, type Validated } from "../schema/author-schema.js";
import { issuesText } from "../schema/issues-text.js";
import { type Ask, answered, visitFirst } from "./asking.js";
import { opensUrls } from "./client-facts.js";
import type { ServerContext } from "./context.js";
import type { McpServerOptions } from "./mcp-server.js";
import { present } from "./present.js";
import { Registry } from "./registry.js";
import type { ToolConfig, ToolOutcome, ToolResult } from "./tool.js";

/** A tool of whatever schemas. */
interface AnyTool extends Omit<ToolConfig, "ask"> {
  readonly name?: string;
  readonly ask?: Ask<never>;
  readonly callback?: unknown;
}

interface ReadyTool {
  readonly definition: Tool;
  readonly validate: PreparedSchema["validate"];
  readonly output: PreparedSchema | undefined;
  /** The arguments that HTTP clients repeat in headers. */
  readonly headers: readonly HeaderParam[];
  readonly ask: Ask<never> | undefined;
  readonly run: (args: unknown, context: ServerContext, given: InputResponses) => unknown;
}

/** The tools of a server, and the handlers of the two methods about them. */
export class Tools {
  readonly registry: Registry<AnyTool, ReadyTool>;

  constructor(
    readonly options: McpServerOptions,
    changed: () => void,
  ) {
    this.registry = new Registry({
      kind: "tool",
      member: "tools",
      pageSize: options.pageSize,
      prepare: (name, config) => this.#prepare(name, config),
      changed,
    });
  }

  handlers(): Handlers {
    return {
      [TOOLS_LIST]: this.registry.list,
      [TOOLS_CALL]: (params: { name: string; arguments?: object }, context: ServerContext) =>
        this.#call(params, context),
    };
  }

  #prepare(name: string, config: AnyTool): ReadyTool {
    const { title, description, inputSchema, outputSchema, annotations, icons, _meta, ask, callback } = config;
    if (!/^[\w.-]{1,128}$/.test(name)) {
      const problem = `tool name "${name}": names should be 1 to 128 letters, digits, _, - and .`;
      reportTo(this.options, new SdkError("INVALID_CONFIGURATION", problem));
    }
    if (typeof callback !== "function")
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `tool "${name}" has no callback: registerTool(name, { description, inputSchema }, callback)`,
      );
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
      ...present({ title, description }),
      inputSchema: (input?.jsonSchema ?? { type: "object", additionalProperties: false }) as Tool["inputSchema"],
      ...present({ outputSchema: output?.jsonSchema, annotations, icons, _meta }),
    };
    const headers = headerParamsOf(definition.inputSchema);
    if ("problem" in headers)
      throw new SdkError("INVALID_CONFIGURATION", `inputSchema of tool "${name}": ${headers.problem}`);
    const run = callback as (...args: unknown[]) => unknown;
    return {
      definition,
      validate: input?.validate ?? noArguments,
      output,
      headers: headers.params,
      ask,
      run: input ? run : (_args, context, given) => run(context, given),
    };
  }

  #call({ name, arguments: args = {} }: { name: string; arguments?: object }, context: ServerContext): unknown {
    const tool = this.registry.find(name);
    if (tool.headers.length > 0) context.extra?.gate?.called(tool.headers, args);
    const validated = tool.validate(args);
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

/** What the listed schema of a tool without input says. */
function noArguments(value: unknown): Validated {
  const [name] = Object.keys(value as object);
  return name === undefined ? { value } : { issues: [{ message: "it takes no arguments", path: [name] }] };
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
  const { client } = context;
  const isForModel =
    error instanceof UrlElicitationRequiredError
      ? !opensUrls(client)
      : error instanceof MissingRequiredClientCapabilityError
        ? client.session !== undefined
        : error instanceof RemoteError || !(error instanceof ProtocolError);
  if (!isForModel) throw error;
  return failure(asError(error).message);
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
  const check = (checked: Validated): unknown => {
    if (checked.issues) throw badOutput(tool, issuesText(checked.issues));
    // What was listed is the schema of what validation gives: with defaults, without other members.
    const { value: structuredContent } = checked;
    return withContent(
      tool,
      structuredContent === result.structuredContent ? result : { ...result, structuredContent },
    );
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
