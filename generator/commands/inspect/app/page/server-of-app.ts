import { RemoteError } from "@mcpwright/runtime/errors";
import type { AppClient } from "@mcpwright/runtime/apps/host";
import type { ServerRequest, ServerResponse } from "../page-data.js";

/** The server of the app, behind the program that serves this page. `say` is called with each request and response. */
export function serverOfApp(say: (kind: string, what: unknown) => void): AppClient {
  const ask = async <Result>(
    kind: ServerRequest["kind"],
    params: object,
    signal: AbortSignal | undefined,
  ): Promise<Result> => {
    say(kind, params);
    const response = await fetch("request", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind, params } satisfies ServerRequest),
      ...(signal && { signal }),
    });
    const answer = (await response.json()) as ServerResponse;
    if ("error" in answer) {
      say(`${kind} failed`, answer.error);
      throw new RemoteError(answer.error.code, answer.error.message, answer.error.data);
    }
    say(`${kind} answered`, answer.result);
    return answer.result as Result;
  };
  return {
    listTools: () => ask("listTools", {}, undefined),
    callTool: (params, options) => ask("callTool", params, options?.signal),
    readResource: (params, options) => ask("readResource", params, options?.signal),
  };
}
