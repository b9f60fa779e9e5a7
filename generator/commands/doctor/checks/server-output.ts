import type { ServerTarget, StdioTarget } from "../../../shared/sessions/target.js";
import { knownRevisions } from "../../../shared/sources/schema-folder.js";
import { ServerProcess } from "../../dev/server-process.js";
import { settledWithin } from "../../dev/settled-within.js";
import { type CheckResult, problem, type Problem } from "../finding.js";

/** Milliseconds that a server has to answer, and to end when its input ends. */
const answerMs = 15_000;
const endMs = 3000;
const id = 1;
/** Characters of a line of output that are printed. */
const longestLine = 120;

/** What a server has done until now. */
interface Seen {
  hasAnswered: boolean;
  hasExited: boolean;
  /** The first line that is not a message, and how many there are. The others are not kept: there can be millions. */
  noise: string | undefined;
  noisyLines: number;
}

/** Starts a server, sends `initialize`, and watches what it prints to standard output until it ends. */
export async function checkServerOutput(server: ServerTarget, waitMs = answerMs): Promise<CheckResult> {
  if (server.kind === "http")
    return [problem("warning", "a server at a URL is not checked", "use: mcpwright inspect <url>")];
  const seen: Seen = { hasAnswered: false, hasExited: false, noise: undefined, noisyLines: 0 };
  let answered: () => void = () => undefined;
  const answer = new Promise<void>((resolve) => (answered = resolve));
  const program = { ...server, env: { ...process.env, ...server.env } };
  const child = new ServerProcess(program, {
    onMessage: (unit) => {
      if (![unit].flat().some((one) => (one as { readonly id?: unknown }).id === id)) return;
      seen.hasAnswered = true;
      answered();
    },
    onNoise: (line) => {
      seen.noise ??= line.slice(0, longestLine);
      seen.noisyLines++;
    },
    onStderr: () => undefined,
  });
  child.send(initialize());
  void child.exited.then(() => (seen.hasExited = true));
  await settledWithin(waitMs, Promise.race([answer, child.exited]));
  const isEarly = seen.hasExited;
  child.endInput();
  await settledWithin(endMs, child.exited);
  await child.end();
  const exit = await child.exited;
  const problems = [...noisy(seen), ...(seen.hasAnswered ? [] : [silent(server, child, exit, isEarly, waitMs)])];
  return problems.length > 0 ? problems : "the server writes only messages to standard output";
}

/** A request of the oldest revision, to which also newer servers respond, if only with an error. */
function initialize(): object {
  return {
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: {
      protocolVersion: knownRevisions()[0],
      capabilities: {},
      clientInfo: { name: "mcpwright-doctor", version: "1.0.0" },
    },
  };
}

function noisy({ noise, noisyLines: lines }: Seen): readonly Problem[] {
  if (noise === undefined) return [];
  const more = lines > 1 ? ` and ${lines - 1} more line${lines > 2 ? "s" : ""}` : "";
  const message = `the server prints to standard output, which is for messages: ${JSON.stringify(noise)}${more}`;
  return [problem("error", message, "print to standard error instead: console.error, not console.log")];
}

function silent(
  { command }: StdioTarget,
  { lastStderr }: ServerProcess,
  { error, exitCode, signal }: Awaited<ServerProcess["exited"]>,
  isEarly: boolean,
  waitMs: number,
): Problem {
  if (error)
    return problem(
      "error",
      `${command} cannot be started: ${error.message}`,
      "check the command, and that it is on your PATH",
    );
  const last = lastStderr.findLast((line) => line.trim() !== "");
  const said = last === undefined ? "" : `; its last words: ${JSON.stringify(last.slice(0, 200))}`;
  if (isEarly) {
    const how = signal === null ? `exits with code ${exitCode}` : `is ended by ${signal}`;
    return problem(
      "error",
      `the server ${how} before it answers${said}`,
      "start it in a terminal and correct the error",
    );
  }
  const message = `the server does not answer within ${waitMs / 1000} s${said}`;
  return problem(
    "error",
    message,
    "call serveStdio(server); a server over HTTP is checked with: mcpwright inspect <url>",
  );
}
