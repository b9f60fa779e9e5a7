import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { cpuMsOf, peakMegabytesOf } from "../shared/cpu.js";
import { opened, opening, type Revision, type Template, textOf } from "../shared/traffic.js";

const LF = 10;

interface Reply {
  readonly id?: unknown;
  readonly method?: unknown;
}

/** A server in its own process, and a minimal client. */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #id = 0;
  #ended: Error | undefined;
  #ondata: (chunk: Buffer) => void = () => undefined;
  #onend: (error: Error) => void = () => undefined;

  constructor(nodeArgs: readonly string[]) {
    this.#child = spawn(process.execPath, nodeArgs, { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdout.on("data", (chunk: Buffer) => this.#ondata(chunk));
    this.#child.stdin.on("error", () => undefined);
    this.#child.on("exit", (code) => {
      this.#ended = new Error(`${nodeArgs.join(" ")} exited with ${String(code)}`);
      this.#onend(this.#ended);
    });
  }

  get cpuMs(): number {
    return cpuMsOf(this.#pid);
  }

  get peakMegabytes(): number {
    return peakMegabytesOf(this.#pid);
  }

  get lastId(): number {
    return this.#id;
  }

  async open(revision: Revision): Promise<void> {
    await this.ask(opening(revision));
    this.#child.stdin.write(opened(revision));
  }

  /** Sends one request and waits for its reply; other messages until then are ignored. */
  ask(template: Template): Promise<unknown> {
    const id = ++this.#id;
    let text = "";
    return this.#until((done) => {
      this.#ondata = (chunk) => {
        text += chunk.toString("latin1");
        if (!text.endsWith("\n")) return;
        const lines = text.slice(0, -1).split("\n");
        text = "";
        const reply = lines.map((line) => JSON.parse(line) as Reply).find((one) => one.id === id && !one.method);
        if (reply) done(reply);
      };
      this.#child.stdin.write(textOf(template, id));
    });
  }

  /** Sends `count` messages, each with a new id. The next `ask` ignores their replies. */
  tell(text: (id: number) => string, count: number): void {
    let all = "";
    for (let one = 0; one < count; one++) all += text(++this.#id);
    this.#ondata = () => undefined;
    this.#child.stdin.write(all);
  }

  /** Sends `count` requests, with `inFlight` pending at any time. @throws when a reply is an error */
  pump(template: Template, count: number, inFlight: number): Promise<void> {
    let toSend = count;
    let waiting = 0;
    const send = (most: number): void => {
      const now = Math.min(most, toSend);
      let text = "";
      for (let sent = 0; sent < now; sent++) text += textOf(template, ++this.#id);
      toSend -= now;
      waiting += now;
      if (now > 0) this.#child.stdin.write(text);
    };
    return this.#until<void>((done, fail) => {
      this.#ondata = (chunk) => {
        const replies = linesIn(chunk);
        waiting -= replies;
        if (chunk.includes('"error":') || chunk.includes('"isError":true')) fail(new Error(chunk.toString()));
        send(replies);
        if (waiting === 0) done();
      };
      send(inFlight);
    });
  }

  async close(): Promise<void> {
    this.#onend = () => undefined;
    if (this.#ended) return;
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await gone;
  }

  get #pid(): number {
    return this.#child.pid ?? NaN;
  }

  #until<Result>(begin: (done: (result: Result) => void, fail: (error: Error) => void) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw this.#ended;
      this.#onend = reject;
      begin(resolve, reject);
    });
  }
}

function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) lines++;
  return lines;
}
