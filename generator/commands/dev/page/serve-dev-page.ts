import { isObject } from "../../../shared/is-object.js";
import { pageErrorOf } from "../../../shared/loopback/page-error.js";
import { readJson } from "../../../shared/loopback/read-json.js";
import { packageRoot } from "../../../shared/package-root.js";
import type { RelayEvent, RelayListener } from "../relay-events.js";
import { LiveChecks } from "./check/live-checks.js";
import { EventStream } from "./event-stream.js";
import { MessageHistory } from "./message-history.js";
import type { PageAnswer, PageEvents, PageRequest, PageResponse } from "./page-data.js";
import { servePage } from "./page-server.js";
import { PageSession } from "./page-session.js";
import type { PageRelay } from "./relay-transport.js";

export interface DevPageOptions {
  /** The relay of the command. */
  readonly relay: PageRelay & { listen(listener: RelayListener): () => void };
  /** What the page shows, such as `src/main.ts`. */
  readonly entry: string;
  /** The port; 0 for any free one. */
  readonly port: number;
}

export interface DevPage {
  /** The address of the page, with its token. */
  readonly url: string;
  /** Connects the page to the server. Until then, it shows messages of others only. */
  readonly connect: () => void;
  /** Ends the page and its connection to the server. */
  readonly close: () => Promise<void>;
}

/** Bytes of a request of the page. */
const maxBytes = 10_000_000;

/**
 * Serves the page of `mcpwright dev`, which shows the messages of all hosts and calls the server over a connection of its own.
 * @throws the error of the system if the port cannot be used
 */
export async function serveDevPage({ relay, entry, port }: DevPageOptions): Promise<DevPage> {
  const history = new MessageHistory();
  const checks = new LiveChecks({
    onFindings: (row, findings) => history.addFindings(row, findings),
    onNote: (text) => history.addNote(text),
  });
  const streams = new Set<EventStream>();
  const tell = <Name extends keyof PageEvents>(name: Name, data: PageEvents[Name]): void => {
    for (const stream of streams) stream.send(name, data);
  };
  const session = new PageSession(relay, {
    onSession: (data) => tell("session", data),
    onQuestions: () => tell("questions", session.questions.open),
    onProgress: (progress) => tell("progress", progress),
    onNote: (text) => history.addNote(text),
  });
  const connect = (): void => void session.connect();
  const unlisten = relay.listen((event) => record(event, history, checks, session));

  const server = await servePage(
    {
      events: (lastEventId, response) => {
        const stream = new EventStream(response, history, Number(lastEventId ?? 0) || 0);
        streams.add(stream);
        response.once("close", () => streams.delete(stream));
        stream.send("hello", { entry, version: packageRoot().version });
        stream.send("session", session.data);
        stream.send("questions", session.questions.open);
        stream.sendRows();
      },
      posts: {
        "/request": async (request, response) => {
          const aborted = new AbortController();
          // Not of the socket, which further requests use.
          response.once("close", () => aborted.abort(new Error("the page has cancelled the request")));
          return answerRequest(session, await readJson(request, maxBytes), aborted.signal);
        },
        "/answer": async (request) => {
          const answer = (await readJson(request, maxBytes)) as PageAnswer;
          return { isOpen: session.questions.answer(answer) };
        },
        "/clear": () => {
          history.clear();
          return Promise.resolve({});
        },
        "/connect": () => {
          connect();
          return Promise.resolve({});
        },
      },
    },
    port,
  ).catch((error: unknown) => {
    unlisten();
    throw error;
  });
  return {
    url: server.url,
    connect,
    close: async () => {
      await server.close();
      await session.close();
      unlisten();
    },
  };
}

function record(event: RelayEvent, history: MessageHistory, checks: LiveChecks, session: PageSession): void {
  const row = history.add(event);
  if (event.kind === "message") checks.add(event, row);
  if (event.kind === "host-disconnected") checks.end(event.connection);
  // A server that could not be used before the change may work now.
  if (event.kind === "server-started" && event.start > 1) session.serverRestarted(event.connection);
}

async function answerRequest(session: PageSession, asked: unknown, signal: AbortSignal): Promise<PageResponse> {
  if (!isRequest(asked)) throw new TypeError("the page must send an id, a kind and a name");
  try {
    return await session.request(asked, signal);
  } catch (error) {
    return { error: pageErrorOf(error) };
  }
}

function isRequest(value: unknown): value is PageRequest {
  if (!isObject(value)) return false;
  const { id, kind, name, arguments: args } = value;
  const isKnown = kind === "tool" || kind === "prompt" || kind === "resource";
  return isKnown && typeof id === "string" && typeof name === "string" && (args === undefined || isObject(args));
}
