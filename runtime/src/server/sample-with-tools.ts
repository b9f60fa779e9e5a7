import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  SamplingMessage,
  SamplingMessageContentBlock,
  Tool,
  ToolResultContent,
  ToolUseContent,
} from "../authoring.js";
import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { contentBlocks } from "../rules/sampling.js";
import { markHandled } from "../timing/mark-handled.js";
import type { ServerContext } from "./contracts.js";

/** A tool that the client's model may use, and the function that runs it. */
export interface SamplingTool {
  readonly definition: Tool;
  /** Runs the tool. An error that it throws is reported to the model. */
  run(use: ToolUseContent): SamplingToolOutcome | Promise<SamplingToolOutcome>;
}

/** Limits on the tools that the client's model may use. */
export interface SamplingToolLimits {
  /** Maximum number of turns in which tools may be used. Default: `5`. */
  readonly maxRounds?: number;
  /** Maximum number of tools used in one turn, which run at the same time. Default: `50`. */
  readonly maxUsesPerRound?: number;
  /** Maximum number of tools used in all turns. Default: `100`. */
  readonly maxUses?: number;
}

export type SamplingToolOutcome = Omit<ToolResultContent, "type" | "toolUseId">;

/**
 * Requests completions from the client's model, which may use tools: runs the tools of each turn concurrently, and continues
 * until the model uses none (MCP, sampling with tools). In the last round the model must not use tools.
 * @param key prefix of the keys of the input requests
 * @throws SdkError `LIMIT_EXCEEDED` when the model uses more tools than `limits` allows, before those of that turn run
 * @throws the errors of `context.sample`
 * @deprecated since 2026-07-28, with sampling itself: call the provider's API from the server
 */
export function sampleWithTools(
  context: ServerContext,
  key: string,
  params: Omit<CreateMessageRequestParams, "tools">,
  tools: readonly SamplingTool[],
  limits: SamplingToolLimits = {},
): Promise<CreateMessageResult> {
  return markHandled(sample(context, key, params, tools, limits));
}

async function sample(
  context: ServerContext,
  key: string,
  params: Omit<CreateMessageRequestParams, "tools">,
  tools: readonly SamplingTool[],
  { maxRounds = 5, maxUsesPerRound = 50, maxUses = 100 }: SamplingToolLimits,
): Promise<CreateMessageResult> {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const definitions = tools.map(({ definition }) => definition);
  let { messages } = params;
  let left = maxUses;
  for (let round = 0; ; round++) {
    const last = round >= maxRounds && { toolChoice: { mode: "none" as const } };
    const result = await context.sample(`${key}.${round}`, { ...params, messages, tools: definitions, ...last });
    const uses = contentBlocks<SamplingMessageContentBlock>(result.content).filter(
      (block) => block.type === "tool_use",
    );
    if (uses.length === 0 || last) return result;
    if (uses.length > maxUsesPerRound || uses.length > left) throw tooManyUses({ maxUsesPerRound, maxUses });
    left -= uses.length;
    const results = await Promise.all(uses.map(async (use) => resultOf(byName.get(use.name), use)));
    const turn: SamplingMessage[] = [
      { role: "assistant", content: result.content },
      { role: "user", content: results },
    ];
    messages = [...messages, ...turn];
  }
}

function tooManyUses({ maxUsesPerRound, maxUses }: Required<Omit<SamplingToolLimits, "maxRounds">>): SdkError {
  const allowed = `${maxUsesPerRound} in a turn (maxUsesPerRound) and ${maxUses} in all (maxUses)`;
  return new SdkError("LIMIT_EXCEEDED", `the client's model used too many tools: it may use ${allowed}`);
}

async function resultOf(tool: SamplingTool | undefined, use: ToolUseContent): Promise<ToolResultContent> {
  const about = { type: "tool_result", toolUseId: use.id } as const;
  try {
    if (!tool) throw new Error(`Unknown tool: ${use.name}`);
    return { ...(await tool.run(use)), ...about };
  } catch (error) {
    const text = toError(error).message;
    return { ...about, content: [{ type: "text", text }], isError: true };
  }
}
