import { TOOLS_CALL, TOOLS_LIST } from "@mcpwright/protocol/names";
import type { Tool } from "../authoring.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { RequestPipeline } from "./request-pipeline.js";

/** Whether the transport can reject listed tools, or needs their schemas to send a call. */
export function transportChecksTools(requests: RequestPipeline | undefined): requests is RequestPipeline {
  const { side, transport } = requests?.connection ?? {};
  return side?.profile.standardHeaders === true && transport?.checkTool !== undefined;
}

/** Returns the tools that the transport can call, and registers them there. The others are reported as omitted. */
export function callableTools(tools: Tool[], { connection, options }: RequestPipeline): Tool[] {
  return tools.filter((tool) => {
    const problem = connection.transport.checkTool?.(tool);
    if (problem === undefined) return true;
    connection.report(new SdkError("INVALID_MESSAGE", `tool "${tool.name}" is left out: ${problem}`, tool));
    connection.callHook(() => options.onInvalidItem?.(tool, TOOLS_LIST, { text: problem, issues: [] }));
    return false;
  });
}

/**
 * Lists the tools again, so that the transport learns which arguments it must repeat in headers.
 * @returns whether requests of this method depend on that list
 */
export async function refreshTools(
  method: string,
  pipeline: RequestPipeline | undefined,
  list: () => Promise<unknown>,
): Promise<boolean> {
  if (method !== TOOLS_CALL || !transportChecksTools(pipeline)) return false;
  const { cache, cacheKey } = pipeline.options;
  cache?.invalidateMethod(cacheKey, TOOLS_LIST);
  await list();
  return true;
}
