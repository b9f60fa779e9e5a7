import { TOOLS_CALL, TOOLS_LIST } from "@mcpwright/protocol/names";
import type { InputResponses, Tool } from "../authoring.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import type { ServerHooks } from "./extension-hooks.js";
import { reportTo } from "../connection/error-reporting.js";
import type { HeaderParam } from "../http/header-param.js";
import { findHeaderParams } from "../http/tool-header-params.js";
import { checkInputRequest } from "../input-requests/check-input-request.js";
import { type InputRequired, isInputRequired } from "../input-requests/input-required.js";
import { toError } from "../jsonrpc/error-conversion.js";
import {
  ErrorCode,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  RemoteError,
  SdkError,
  UrlElicitationRequiredError,
} from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import { type PreparedSchema, prepareSchema, type Validated } from "../schema/author-schema.js";
import { formatIssues } from "../schema/format-issues.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { supportsUrlElicitation } from "./client-description.js";
import type { ServerContext } from "./contracts.js";
import type { InputRequestsCallback } from "./input-requests-callback.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { omitNullish } from "./omit-nullish.js";
import { Registry, type Scoped } from "./registry.js";
import { runWithInputResponses, urlInputRequired } from "./run-with-input-responses.js";
import type { ToolConfig, ToolOutcome, ToolResult } from "./tool-config.js";

/** A tool with schemas of any type. */
interface AnyTool extends Omit<ToolConfig, "inputRequests"> {
  readonly name?: string;
  readonly inputRequests?: InputRequestsCallback<never>;
  readonly callback?: unknown;
}

interface PreparedTool {
  readonly definition: Tool;
  readonly validate: PreparedSchema["validate"];
  readonly output: PreparedSchema | undefined;
  /** The arguments that HTTP clients repeat in headers. */
  readonly headers: readonly HeaderParam[];
  readonly config: AnyTool;
  readonly run: (args: unknown, context: ServerContext, responses: InputResponses) => unknown;
}

/** The tools of a server, and the handlers of the two methods about them. */
export class Tools {
  readonly registry: Registry<AnyTool, PreparedTool>;

  constructor(
    readonly options: McpServerOptions,
    changed: (config: Scoped) => void,
    _onCompleters: unknown,
    readonly hooks: ServerHooks<ServerContext>,
  ) {
    this.registry = new Registry({
      kind: "tool",
      member: "tools",
      pageSize: options.pageSize,
      prepare: (name, config) => this.#prepare(name, config),
      define: (tool, { client }) => ({ ...tool.definition, ...hooks.describeTool?.(tool, client.side) }),
      view: (context) => hooks.viewTools?.(context),
      changed,
    });
  }

  handlers(): MethodHandlers {
    return {
      [TOOLS_LIST]: this.registry.list,
      [TOOLS_CALL]: (params: { name: string; arguments?: object }, context: ServerContext) =>
        this.#call(params, context),
    };
  }

  #prepare(name: string, config: AnyTool): PreparedTool {
    const { title, description, inputSchema, outputSchema, annotations, icons, _meta, callback, task } = config;
    if (!/^[\w.-]{1,128}$/.test(name)) {
      const problem = `tool name "${name}": names should have 1 to 128 characters: letters, digits, _, - and .`;
      reportTo(this.options, new SdkError("INVALID_CONFIGURATION", problem));
    }
    if (typeof callback !== "function")
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `tool "${name}" has no callback; call registerTool(name, { description, inputSchema }, callback)`,
      );
    if (task !== undefined) {
      const { assertTaskOption } = this.hooks;
      if (!assertTaskOption)
        throw new SdkError(
          "INVALID_CONFIGURATION",
          `task of tool "${name}" needs extensions: [tasks()] (@mcpwright/runtime/tasks)`,
        );
      assertTaskOption(name, task);
    }
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
    const definition = omitNullish({
      name,
      title,
      description,
      inputSchema: input?.jsonSchema ?? { type: "object", additionalProperties: false },
      outputSchema: output?.jsonSchema,
      annotations,
      icons,
      _meta,
    }) as Tool;
    const headers = findHeaderParams(definition.inputSchema);
    if ("problem" in headers)
      throw new SdkError("INVALID_CONFIGURATION", `inputSchema of tool "${name}": ${headers.problem}`);
    const run = callback as (...args: unknown[]) => unknown;
    return {
      definition,
      validate: input?.validate ?? noArguments,
      output,
      headers: headers.params,
      config,
      run: input ? run : (_args, context, responses) => run(context, responses),
    };
  }

  #call({ name, arguments: args = {} }: { name: string; arguments?: object }, context: ServerContext): unknown {
    const tool = this.registry.getOrThrow(name);
    this.hooks.checkTool?.(tool, context);
    const validated = tool.validate(args);
    return isPromiseLike(validated)
      ? validated.then((known) => this.#run(tool, known, context))
      : this.#run(tool, validated, context);
  }

  #run(tool: PreparedTool, validated: Validated, context: ServerContext): unknown {
    if (validated.issues) {
      const message = `Invalid arguments for tool ${tool.definition.name}: ${formatIssues(validated.issues)}`;
      if (context.client.side.profile.inputErrors === "result") return failedToolResult(message);
      throw new ProtocolError(ErrorCode.InvalidParams, message);
    }
    const { value } = validated;
    const { inputRequests } = tool.config;
    context.errorToResult = toolError;
    const start = (responses: InputResponses): unknown => {
      const run = (one = context): unknown => finished(tool, value, one, responses);
      const { hooks } = this;
      return hooks.runTool ? hooks.runTool(tool, context, run) : run();
    };
    if (!inputRequests) return start(context.inputResponses ?? {});
    return runWithInputResponses(inputRequests, value as never, context, start).then(
      (outcome) => (isInputRequired(outcome) ? finishTool(tool, outcome, context) : outcome),
      (error: unknown) => toolError(error, context),
    );
  }
}

/** Runs a tool and returns its result as the client receives it, also for most errors. */
function finished(tool: PreparedTool, args: unknown, context: ServerContext, responses: InputResponses): unknown {
  let outcome: unknown;
  try {
    outcome = tool.run(args, context, responses);
  } catch (error) {
    return toolError(error, context);
  }
  if (!isPromiseLike(outcome)) return finishTool(tool, outcome, context);
  return outcome.then(
    (result) => finishTool(tool, result, context),
    (error: unknown) => toolError(error, context),
  );
}

/** Rejects arguments of a tool without an input schema, as its listed schema does. */
function noArguments(value: unknown): Validated {
  const [name] = Object.keys(value as object);
  return name === undefined ? { value } : { issues: [{ message: "the tool takes no arguments", path: [name] }] };
}

/** Creates an error result for the model. */
function failedToolResult(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * Converts an error of a tool to a result for the model, with two exceptions: a `ProtocolError` becomes the error response,
 * and so does a missing capability of a stateless-era client.
 */
function toolError(error: unknown, context: ServerContext): ToolOutcome {
  const inputRequired = urlInputRequired(error, context);
  if (inputRequired) return inputRequired;
  const { client } = context;
  const isForModel =
    error instanceof UrlElicitationRequiredError
      ? client.session && !supportsUrlElicitation(client)
      : error instanceof MissingRequiredClientCapabilityError
        ? client.session !== undefined
        : error instanceof RemoteError || !(error instanceof ProtocolError);
  if (!isForModel) throw error;
  const isExpected =
    error instanceof UrlElicitationRequiredError || error instanceof MissingRequiredClientCapabilityError;
  // The client gets only the message. An aborted tool may throw anything.
  if (!isExpected && !context.signal.aborted) context.connection.reportUserError(error);
  return failedToolResult(toError(error).message);
}

/** Handshake-era revisions have no error code for a missing capability, so the tool fails with a result for the model. */
function missingCapabilityResult(
  { inputRequests = {} }: InputRequired,
  { client }: ServerContext,
): ToolResult | undefined {
  if (!client.session) return undefined;
  try {
    for (const request of Object.values(inputRequests)) checkInputRequest(client.side, client.capabilities, request);
    return undefined;
  } catch (error) {
    return failedToolResult((error as Error).message);
  }
}

function finishTool(tool: PreparedTool, outcome: unknown, context: ServerContext): unknown {
  if (!isObject(outcome)) throw new TypeError(`the callback of tool "${tool.definition.name}" must return an object`);
  if (isInputRequired(outcome)) return missingCapabilityResult(outcome, context) ?? outcome;
  const result = outcome as ToolResult;
  if (!tool.output || result.isError) return withContent(tool, result, context);
  if (result.structuredContent === undefined) throw invalidOutputError(tool, "structuredContent is missing");
  const validated = tool.output.validate(result.structuredContent);
  const check = (checked: Validated): unknown => {
    if (checked.issues) throw invalidOutputError(tool, formatIssues(checked.issues));
    // The listed schema describes validated output: with defaults, without unknown members.
    const { value: structuredContent } = checked;
    return withContent(
      tool,
      structuredContent === result.structuredContent ? result : { ...result, structuredContent },
      context,
    );
  };
  return isPromiseLike(validated) ? validated.then(check) : check(validated);
}

function withContent({ definition }: PreparedTool, result: ToolResult, { session }: ServerContext): ToolResult {
  const { structuredContent, content } = result;
  if (content === undefined && structuredContent === undefined)
    throw new TypeError(`the callback of tool "${definition.name}" must return content or structuredContent`);
  // Handshake-era clients do not receive structured content that is not an object.
  const isDropped = session && structuredContent !== undefined && !isObject(structuredContent);
  const whole =
    content && !isDropped ? result : Object.assign({}, result, { content: withText(content, structuredContent) });
  if (!Array.isArray(whole.content))
    throw new TypeError(`the callback of tool "${definition.name}" must return content as an array`);
  return whole;
}

/** Adds a value as JSON text, unless the content has it already. */
function withText(content: ToolResult["content"] = [], value: unknown): typeof content {
  const text = JSON.stringify(value);
  const isThere = !Array.isArray(content) || content.some((one) => one.type === "text" && one.text === text);
  return isThere ? content : [...content, { type: "text", text }];
}

function invalidOutputError({ definition }: PreparedTool, problem: string): TypeError {
  return new TypeError(`the result of tool "${definition.name}" does not match its outputSchema: ${problem}`);
}
