import { clientSides } from "@mcpwright/protocol/client-sides";
import type { Trace } from "@mcpwright/runtime";
import { Client, type ClientExtension } from "@mcpwright/runtime/client";
import { type AuthProvider, SSEClientTransport, StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { ErrorCode, ProtocolError, SdkError } from "@mcpwright/runtime/errors";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { diagnostic, type Diagnostic, fail } from "../diagnostics/diagnostic.js";
import { packageRoot } from "../package-root.js";
import { explainFailure } from "./explain-failure.js";
import { readStderr } from "./stderr-lines.js";
import { type ServerTarget, targetName } from "./target.js";

/** A token, or a provider that is closed with the session. */
export type SessionAuthorization = string | (AuthProvider & { readonly close: () => Promise<void> });

export interface SessionOptions {
  /** The only revision to use. Default: the newest one that the server supports. */
  readonly revision?: string;
  /** Milliseconds to wait for each response. Default: `60_000`. */
  readonly timeoutMs?: number;
  /** Closes the connection, even while it is being opened. */
  readonly signal?: AbortSignal;
  /** Called with every message, parsed, before it is handled and before it is sent. */
  readonly trace?: Trace;
  /** Called with each line that a started server writes to its standard error, from the first response on. */
  readonly onStderr?: (line: string) => void;
  /** Called with each finding that does not stop the session. */
  readonly onNote?: (note: Diagnostic) => void;
  /** Called when the server or the network closes the connection. */
  readonly onEnd?: (error: Error) => void;
  /** Authorizes the requests to a server at a URL. Default: only the headers of the target. */
  readonly authorization?: SessionAuthorization;
  /** Extensions of the client. Default: none. */
  readonly extensions?: readonly ClientExtension[];
  /** Called before the connection opens, to register handlers. */
  readonly prepare?: (client: Client) => void;
}

/** All capabilities, including deprecated ones, because servers may hide features from clients without them. */
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** A connection to a running server. */
export interface ServerSession {
  readonly client: Client;
  readonly name: string;
  /** Runs a request. @throws DiagnosticError for failures of the server or the network */
  readonly run: <T>(what: string, request: () => Promise<T>) => Promise<T>;
  /** Closes the connection, and ends the server's process if it was started here. */
  readonly close: () => Promise<void>;
}

/**
 * Connects to a server.
 * @throws DiagnosticError revision-unknown, server-*
 */
export async function openSession(target: ServerTarget, options: SessionOptions): Promise<ServerSession> {
  const { revision, timeoutMs = 60_000, signal, trace, onStderr, onNote, onEnd, extensions = [], prepare } = options;
  const known = clientSides.map((side) => side.revision);
  const revisions = clientSides.filter((side) => revision === undefined || side.revision === revision);
  if (revisions.length === 0) fail("revision-unknown", { revision: revision ?? "", known: known.join(", ") });
  const name = targetName(target);
  let noise: string | undefined;
  const client = new Client(
    { name: "mcpwright", version: packageRoot().version },
    {
      revisions,
      timeoutMs,
      capabilities,
      ...(extensions.length > 0 && { extensions }),
      ...(trace && { trace }),
      onInvalidItem: (item, method) =>
        onNote?.(diagnostic("server-item-invalid", { method, name: JSON.stringify(item).slice(0, 200) })),
      onclose: (error) => error && onEnd?.(error),
      onerror: (error) => {
        if (error instanceof SdkError && error.code === "INVALID_CONFIGURATION")
          onNote?.(diagnostic("answer-invalid", { reason: error.message }));
        const isNoise = error instanceof ProtocolError && error.code === ErrorCode.ParseError;
        if (!isNoise || noise !== undefined) return;
        noise = error.message.replace(/^Parse error: /, "");
        if (isOpen) noteNoise();
      },
    },
  );
  let isOpen = false;
  const noteNoise = (): void => {
    if (noise !== undefined && target.kind === "stdio")
      onNote?.(diagnostic("server-stdout-noise", { command: name, text: noise }));
  };
  prepare?.(client);
  const { authorization } = options;
  const transport = transportOf(target, authorization);
  const stderr = transport instanceof StdioClientTransport ? transport.stderr : null;
  const lines = stderr && readStderr(stderr, (line) => isOpen && onStderr?.(line));
  if (lines) {
    const start = transport.start.bind(transport);
    transport.start = () => {
      lines.restart();
      return start();
    };
  }
  const close = async (): Promise<void> => {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    if (typeof authorization === "object") await authorization.close();
  };
  const run = async <T>(what: string, request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      signal?.throwIfAborted();
      const hasToken = typeof authorization === "string";
      const facts = { target, name, what, known, isOpen, hasToken, noise, stderr: lines?.held() ?? [] };
      throw explainFailure(error, facts);
    }
  };
  try {
    await run("the first request", () => client.connect(transport, { ...(signal && { signal }), timeoutMs }));
  } catch (error) {
    await close();
    throw error;
  }
  isOpen = true;
  noteNoise();
  for (const line of lines?.held() ?? []) onStderr?.(line);
  return { client, name, run, close };
}

function transportOf(
  target: ServerTarget,
  authProvider: SessionAuthorization | undefined,
): StdioClientTransport | StreamableHTTPClientTransport | SSEClientTransport {
  if (target.kind === "stdio") {
    const { command, args, env, cwd } = target;
    return new StdioClientTransport({ command, args, env, stderr: "pipe", ...(cwd !== undefined && { cwd }) });
  }
  const { url, headers, sse } = target;
  const options = { requestInit: { headers }, ...(authProvider !== undefined && { authProvider }) };
  return sse ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
}
