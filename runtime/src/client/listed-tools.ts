import type { ListToolsResult } from "../authoring.js";
import { callableTools, transportChecksTools } from "./callable-tools.js";
import type { ClientConnection } from "./client-connection.js";
import type { ClientOptions } from "./client-options.js";
import { OutputSchemas } from "./output-schemas.js";
import { RepeatableRequests } from "./repeatable-requests.js";
import type { RequestPipeline } from "./request-pipeline.js";

/** Remembers the properties of listed tools that calls of them need. */
export class ListedTools {
  readonly outputSchemas: OutputSchemas;
  readonly repeatable: RepeatableRequests;

  /** @param connection returns the open connection, to which each output schema that cannot be compiled is reported */
  constructor(
    { jsonSchemaValidator, onUncheckedTool, repeatLost = true }: ClientOptions,
    connection: () => ClientConnection | undefined,
  ) {
    this.outputSchemas = new OutputSchemas(jsonSchemaValidator, (name, error) => {
      connection()?.report(error);
      if (onUncheckedTool) connection()?.callHook(() => onUncheckedTool(name, error));
    });
    this.repeatable = new RepeatableRequests(repeatLost);
  }

  /** Forgets all tools, because the server may differ. */
  clear(): void {
    this.outputSchemas.clear();
    this.repeatable.clear();
  }

  /** Returns the result without the tools that the transport cannot call. */
  add(result: ListToolsResult, requests: RequestPipeline | undefined): ListToolsResult {
    const { tools } = result;
    this.outputSchemas.addTools(tools);
    this.repeatable.addTools(tools);
    return transportChecksTools(requests) ? { ...result, tools: callableTools(tools, requests) } : result;
  }
}
