import type { CallToolResult, Tool } from "@mcpwright/runtime/client";
import { listOrNote } from "../../../shared/sessions/list-all.js";
import type { ServerSession } from "../../../shared/sessions/open-session.js";
import type { Inspection, InspectRequest } from "../inspection.js";
import { type RequestOptions, sendRequest } from "../send-request.js";

export interface CallAndShowOptions extends RequestOptions {
  readonly openBrowser: boolean;
  /** Milliseconds until the app must be ready. Default: `10_000`. */
  readonly readyTimeoutMs?: number;
  /** Aborted when the connection closes. */
  readonly ended: AbortSignal;
}

/** Calls a tool and shows the result in the app of the tool. @throws DiagnosticError app-*, and as a call */
export async function callAndShow(
  session: ServerSession,
  asked: InspectRequest & { readonly kind: "app" },
  options: CallAndShowOptions,
): Promise<Required<Pick<Inspection, "request" | "result">>> {
  const { appOf, prepareScreenshot, showApp } = await import("./show-app.js");
  const { name, screenshot } = asked;
  const { client } = session;
  const file = screenshot === undefined ? undefined : prepareScreenshot(screenshot);
  const tools: readonly Tool[] = await listOrNote(
    session,
    "tools",
    async () => (await client.listTools()).tools,
    options.note,
  );
  const { tool, uri } = appOf(name, tools);
  const { request, result } = await sendRequest(session, { ...asked, kind: "call" }, options);
  const args = request["arguments"] as Readonly<Record<string, unknown>>;
  const shown = { tool, uri, arguments: args, result: result as unknown as CallToolResult };
  await showApp(session, shown, { ...options, ...(file && { screenshot: file }) });
  return { request: { app: name, arguments: args }, result };
}
