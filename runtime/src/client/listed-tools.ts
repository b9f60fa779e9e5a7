import type { ListToolsResult } from "../authoring.js";
import { callableTools, transportChecksTools } from "./callable-tools.js";
import type { ClientOptions } from "./client-options.js";
import { OutputSchemas } from "./output-schemas.js";
import { RepeatableRequests } from "./repeatable-requests.js";
import type { RequestPipeline } from "./request-pipeline.js";

/** Remembers the properties of listed tools that calls of them need. */
export class ListedTools {
  readonly outputSchemas: OutputSchemas;
  readonly repeatable: RepeatableRequests;

  /** @param report called with an error for each output schema that cannot be compiled */
  constructor({ jsonSchemaValidator, repeatLost = true }: ClientOptions, report: (error: unknown) => void) {
    this.outputSchemas = new OutputSchemas(jsonSchemaValidator, report);
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
