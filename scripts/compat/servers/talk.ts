import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

export interface Question {
  readonly method: string;
  readonly params?: unknown;
}

/** The result or error in a response. */
export type Answer = { readonly result: unknown } | { readonly error: unknown } | { readonly missing: string };

/** How to start a server. */
export interface Program {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What a client declares, and its results for the requests of servers, by method. Other requests get an error. */
export interface ClientSide {
  readonly capabilities: object;
  readonly results: Readonly<Record<string, unknown>>;
}

export const plainClient: ClientSide = { capabilities: {}, results: {} };

/** A session with a server over stdio. Messages are written and read as they are, without an SDK. */
export interface Session {
  readonly client: ClientSide;
  readonly ask: (question: Question) => Promise<Answer>;
  readonly notify: (method: string) => void;
  /** The requests and notifications that the server has sent since the last call of this function. */
  readonly received: () => readonly Question[];
  /** Closes the input of the server. @returns what it printed to standard error */
  readonly end: () => Promise<string>;
}

const answerMs = 20_000;

export function startSession(
  { command: [program = "", ...args], cwd, environment }: Program,
  client: ClientSide = plainClient,
): Session {
  const server = spawn(program, args, { cwd, env: { ...process.env, ...environment }, stdio: "pipe" });
  const waiting = new Map<unknown, (answer: Answer) => void>();
  const errors: string[] = [];
  let received: Question[] = [];
  let nextId = 1;
  const send = (message: object): void =>
    void server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  server.stderr.setEncoding("utf8").on("data", (chunk: string) => errors.push(chunk));
  // Writing to a server that has ended fails; its questions stay unanswered.
  server.stdin.on("error", () => undefined);
  createInterface({ input: server.stdout }).on("line", (line) => {
    const message = parse(line);
    if (!message) return;
    const { id, method, params, result, error } = message;
    if (method === undefined) {
      waiting.get(id)?.(error === undefined ? { result } : { error });
      return;
    }
    received.push({ method, params });
    if (id === undefined) return;
    if (Object.hasOwn(client.results, method)) send({ id, result: client.results[method] });
    else send({ id, error: { code: -32601, message: "Method not found" } });
  });
  server.on("exit", () => waiting.forEach((answer) => answer({ missing: "the server ended" })));

  return {
    client,
    ask: (question) => {
      const id = nextId++;
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      send({ id, ...question });
      const late = sleep(answerMs, { missing: `no answer in ${answerMs} ms` }, { ref: false });
      return Promise.race([answered, late]).finally(() => waiting.delete(id));
    },
    notify: (method) => send({ method }),
    received: () => {
      const messages = received;
      received = [];
      return messages;
    },
    end: async () => {
      server.stdin.end();
      const isRunning = server.exitCode === null && server.signalCode === null;
      if (isRunning)
        await once(server, "exit", { signal: AbortSignal.timeout(3_000) }).catch(() => server.kill("SIGKILL"));
      return errors.join("");
    },
  };
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Some servers also log to standard output. */
function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}
