import { TOOLS_LIST } from "@mcpwright/protocol/names";
import type { Tool } from "../authoring.js";
import { SdkError } from "../engine/errors.js";
import type { RequestPipeline } from "./requests.js";

/** Whether the transport has a say in which tools can be called, and how. */
export function transportChecksTools(requests: RequestPipeline | undefined): requests is RequestPipeline {
  const { side, transport } = requests?.connection ?? {};
  return side?.profile.standardHeaders === true && transport?.checkTool !== undefined;
}

/** The tools that can be called over the transport; it learns them by that. The others are told of. */
export function callableTools(tools: Tool[], { connection, options }: RequestPipeline): Tool[] {
  return tools.filter((tool) => {
    const problem = connection.transport.checkTool?.(tool);
    if (problem === undefined) return true;
    connection.report(new SdkError("INVALID_MESSAGE", `tool "${tool.name}" is left out: ${problem}`, tool));
    connection.callHook(() => options.onInvalidItem?.(tool, TOOLS_LIST));
    return false;
  });
}
