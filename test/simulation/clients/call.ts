import type { Simulation } from "../engine/simulation.js";
import type { Node } from "../node.js";
import type { ToolArguments, ToolName, ToolOutcome } from "../tools.js";
import { type Level, levels } from "./log-level.js";
import type { Message } from "./messages.js";

/** Why a call may fail, or get no response. */
export type Excuse =
  | "its connection broke"
  | "its node died"
  | "its node shut down"
  | "its session ended"
  | "it was cancelled"
  | "its message was refused"
  | "its question was not answered"
  | "the backplane failed";

/** The kinds of numbered messages before a response: log messages of two levels, and progress. */
export type StepKind = "debug" | "info" | "progress";

/** The calls of one POST, whose messages share a stream. */
export interface CallStream {
  readonly calls: readonly Call[];
  /** The id of the newest event. */
  lastEventId: string | undefined;
}

/** A tool call of a client, and what has arrived for it. */
export class Call {
  readonly excuses = new Set<Excuse>();
  /** The response, once it has arrived. */
  response: Message | undefined;
  /** The nodes that have handled a part of it. */
  readonly nodes = new Set<Node>();
  /** The last step of each kind of message. */
  readonly #steps = { debug: 0, info: 0, progress: 0 };
  /** The answers that its client has sent, by step. */
  readonly answers = new Map<number, readonly string[]>();

  constructor(
    readonly simulation: Simulation,
    /** The name of the client. */
    readonly client: string,
    readonly tool: ToolName,
    readonly given: ToolArguments,
    /** The session, where the era has sessions. */
    readonly session: string | null,
    readonly principal: string,
    /** Returns the log level, if it is known. */
    readonly level: () => Level | undefined,
    /** Tokens that the data of the session contains already. */
    readonly storedBefore: readonly string[] = [],
  ) {}

  get token(): string {
    return this.given.token;
  }

  get isOver(): boolean {
    return this.response !== undefined;
  }

  get hasSucceeded(): boolean {
    return this.response?.result !== undefined && this.response.result["isError"] !== true;
  }

  /** Whether the call may end without its result. */
  get isExcused(): boolean {
    for (const { isAlive, isClosing } of this.nodes) {
      if (isClosing) this.excuses.add("its node shut down");
      else if (!isAlive) this.excuses.add("its node died");
    }
    if (this.simulation.conditions.failsCalls) this.excuses.add("the backplane failed");
    return this.excuses.size > 0;
  }

  /** Receives a message before the response: each step must follow the one before. */
  onStep(kind: StepKind, step: unknown): void {
    const before = this.#steps[kind];
    const isWanted = this.#wants(kind);
    if (isWanted === false) this.#violate(`gets ${kind} ${String(step)}, although the level is ${this.level() ?? "?"}`);
    else if (this.isOver) this.#violate(`gets ${kind} ${String(step)} after its response`);
    else if (step !== before + 1 && !(Number(step) > before && (this.isExcused || isWanted === undefined)))
      this.#violate(`gets ${kind} ${String(step)} after ${before}`);
    this.#steps[kind] = Number(step);
  }

  onResponse(message: Message): void {
    if (this.response) return this.#violate(`gets a second response ${JSON.stringify(message)}`);
    this.response = message;
    if (!this.hasSucceeded) {
      if (!this.isExcused) this.#violate(`fails without reason: ${JSON.stringify(message)}`);
      return;
    }
    const [content] = (message.result?.["content"] ?? []) as readonly { readonly text: string }[];
    if (!content) return this.#violate(`gets no content: ${JSON.stringify(message)}`);
    this.#check(JSON.parse(content.text) as ToolOutcome);
  }

  /** Called at the end of the simulation. */
  checkEnd(): void {
    if (!this.isOver && !this.isExcused) this.#violate("gets no response");
  }

  #check(outcome: ToolOutcome): void {
    const { token, principal, session } = this;
    const expected = { token, principal, session };
    for (const [name, value] of Object.entries(expected))
      if (outcome[name] !== value) this.#violate(`has the ${name} ${String(outcome[name])}, not ${String(value)}`);
    if (this.tool === "steps" && !this.isExcused)
      for (const kind of ["debug", "info", "progress"] as const)
        if (this.#wants(kind) && this.#steps[kind] !== this.given.steps)
          this.#violate(`has got ${this.#steps[kind]} of ${this.given.steps ?? 0} ${kind} messages`);
    if (this.tool === "ask") this.#checkAnswers(outcome["answers"] as readonly string[]);
    if (this.tool === "store" && session !== null) this.#checkStored(outcome["stored"] as readonly string[]);
  }

  /** Whether the client gets messages of a kind; undefined: it does not know. */
  #wants(kind: StepKind): boolean | undefined {
    if (kind === "progress") return true;
    const level = this.level();
    return level && levels.indexOf(kind) >= levels.indexOf(level);
  }

  #checkAnswers(received: readonly string[]): void {
    for (const [index, answer] of received.entries()) {
      const sent = this.answers.get(index + 1) ?? [];
      if (!sent.includes(answer)) this.#violate(`got the answer ${answer}; its client sent ${sent.join(", ")}`);
    }
    if (received.length !== this.given.steps) this.#violate(`got ${received.length} answers`);
  }

  #checkStored(stored: readonly string[]): void {
    if (new Set(stored).size < stored.length) this.#violate(`has stored something twice: ${stored.join()}`);
    const missing = [...this.storedBefore, this.token].filter((one) => !stored.includes(one));
    // With the session, its data ends, also while the call runs.
    if (missing.length > 0 && !this.excuses.has("its session ended"))
      this.#violate(`has lost ${missing.join()} from its session; there is ${stored.join()}`);
    const foreign = stored.filter((one) => !one.startsWith(`${this.client}.`));
    if (foreign.length > 0) this.#violate(`has data of another session: ${foreign.join()}`);
  }

  #violate(text: string): void {
    this.simulation.violate(`call ${this.token} (${this.tool}) ${text}`);
  }
}
