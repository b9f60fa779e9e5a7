/** Checks everything that happens to a client, in order. Its rules hold while nodes and Redis fail. */
import { type Answer, clientOf, type Logged, wordOf } from "./model.js";

/** Something that a client did or received. */
export type ClientEvent =
  /** A session, or a connection without one, begins. */
  | { readonly type: "opened" }
  /** The client has subscribed to its resources. */
  | { readonly type: "subscribed" }
  | { readonly type: "called"; readonly nonce: string; readonly tool: string; readonly uri?: string }
  /** A response arrived. `connection` counts the connections, `id` is that of the request. */
  | { readonly type: "response"; readonly connection: number; readonly id: string | number }
  | { readonly type: "answered"; readonly nonce: string; readonly answer: Answer; readonly steps?: number }
  /** A call failed: it may have been carried out. */
  | { readonly type: "failed"; readonly nonce: string }
  | { readonly type: "progress"; readonly nonce: string; readonly step: number }
  | { readonly type: "logged"; readonly logged: Logged }
  | { readonly type: "updated"; readonly uri: string }
  /** The client treats a resource as changed: it was updated, or updates may be missing. */
  | { readonly type: "changed"; readonly uri: string }
  /** A question of the server about a call arrived. */
  | { readonly type: "asked"; readonly nonce: string }
  /** The client has waited long enough for everything that it must still receive. */
  | { readonly type: "quiet" };

export type Period = readonly [from: number, to: number];

export interface Violation {
  readonly rule: string;
  readonly client: string;
  readonly detail: string;
  /** Whether lost writes of Redis can cause it. */
  readonly isLoss: boolean;
  /** When it may have been caused, in epoch milliseconds: the period, and for a missing update those in which others were written. */
  readonly periods: readonly Period[];
  /** The last events of the client before it. */
  readonly recent?: readonly string[];
}

interface Call {
  readonly tool: string;
  readonly at: number;
  readonly uri?: string;
  answeredAt: number;
  progress: number;
  logged: number;
  /** Whether an update of its resource has arrived since it was called. */
  isUpdated: boolean;
}

/** How long after its answer a call may still write, in milliseconds. */
const laterMs = 1_000;

export class ClientChecker {
  readonly #calls = new Map<string, Call>();
  readonly #responses = new Set<string>();
  /** The answered calls whose notification has not arrived: `tell` by nonce, and `touch`. */
  readonly #owed = new Map<string, Call>();
  /** The number of calls of `touch` whose update has not arrived, by resource. */
  readonly #touches = new Map<string, number>();
  #told = 0;
  /** When each resource was touched last. */
  readonly #touchedAt = new Map<string, number>();
  #subscribing: Period = [0, 0];
  #count = { last: 0, at: 0, unknown: 0 };

  /** @param report receives what must not happen */
  constructor(
    readonly client: string,
    readonly principal: string,
    readonly report: (violation: Violation) => void,
  ) {}

  /** The number of notifications that must still arrive. */
  get owed(): number {
    return this.#owed.size;
  }

  /** @param at when it happened, in epoch milliseconds */
  add(event: ClientEvent, at: number): void {
    switch (event.type) {
      case "opened":
        this.#owed.clear();
        this.#subscribing = [at, at];
        this.#count = { last: 0, at, unknown: 0 };
        return;
      case "subscribed":
        this.#subscribing = [this.#subscribing[0], at];
        return;
      case "called":
        return this.#called(event.nonce, event.tool, event.uri, at);
      case "response":
        return this.#response(`${event.connection} ${typeof event.id} ${event.id}`, at);
      case "answered":
        return this.#answered(event.nonce, event.answer, event.steps, at);
      case "failed":
        return this.#failed(event.nonce);
      case "progress":
        return this.#step(event.nonce, "progress", event.step, at);
      case "logged":
        return this.#logged(event.logged, at);
      case "updated":
        return this.#updated(event.uri, at);
      case "changed":
        for (const [nonce, { uri }] of this.#owed) if (uri === event.uri) this.#owed.delete(nonce);
        return;
      case "asked":
        return this.#own(event.nonce, this.principal, at);
      case "quiet":
        for (const [nonce, call] of this.#owed) this.#missing(nonce, call);
        this.#owed.clear();
    }
  }

  #called(nonce: string, tool: string, uri: string | undefined, at: number): void {
    const call = { tool, at, answeredAt: at, progress: 0, logged: 0, isUpdated: false };
    this.#calls.set(nonce, { ...call, ...(uri !== undefined && { uri }) });
    if (uri === undefined) return;
    this.#touches.set(uri, (this.#touches.get(uri) ?? 0) + 1);
    this.#touchedAt.set(uri, at);
  }

  #response(key: string, at: number): void {
    if (this.#responses.has(key)) this.#wrong("a call was answered twice", key, at);
    this.#responses.add(key);
  }

  #answered(nonce: string, answer: Answer, steps: number | undefined, at: number): void {
    const call = this.#calls.get(nonce);
    this.#own(answer.nonce, answer.principal, at);
    if (!call || answer.nonce !== nonce) {
      this.#wrong("a call got the answer of another", `${nonce}: ${JSON.stringify(answer)}`, at);
      return;
    }
    this.#calls.delete(nonce);
    call.answeredAt = at;
    if (answer.word !== undefined && answer.word !== wordOf(this.client, nonce))
      this.#wrong("a call got the answer of another", `${nonce}: the word is ${answer.word}`, at);
    if (steps !== undefined && call.progress !== steps)
      this.#lost("a notification is missing", `progress of ${nonce}: ${call.progress} of ${steps}`, call.at, at);
    if (steps !== undefined && call.logged !== steps)
      this.#lost("a notification is missing", `messages of ${nonce}: ${call.logged} of ${steps}`, call.at, at);
    if (answer.count !== undefined) this.#counted(nonce, answer.count, at);
    if (call.tool === "tell" && numberOf(nonce) > this.#told) this.#owed.set(nonce, call);
    if (call.uri !== undefined && !call.isUpdated) this.#owed.set(nonce, call);
  }

  #failed(nonce: string): void {
    if (this.#calls.get(nonce)?.tool === "count") this.#count.unknown++;
  }

  /** A session counts its calls; one that failed may be counted. */
  #counted(nonce: string, count: number, at: number): void {
    const { last, at: since, unknown } = this.#count;
    if (count > last + 1 + unknown)
      this.#wrong("a counter is wrong", `${nonce}: ${count} after ${last} and ${unknown} failures`, at);
    if (count <= last) this.#lost("a counter went back", `${nonce}: ${count} after ${last}`, since, at);
    this.#count = { last: count, at, unknown: 0 };
  }

  /** Checks a numbered message of a call. */
  #step(nonce: string, kind: "progress" | "logged", step: number, at: number): void {
    this.#own(nonce, this.principal, at);
    const call = this.#calls.get(nonce);
    // Its messages come before the answer.
    if (!call) return this.#wrong("a notification of an answered call", `${kind} ${step} of ${nonce}`, at);
    const last = call[kind];
    if (step <= last)
      this.#wrong("a notification is doubled or out of order", `${kind} ${step} of ${nonce} after ${last}`, at);
    if (step > last + 1)
      this.#lost("a notification is missing", `${kind} ${step} of ${nonce} after ${last}`, call.at, at);
    call[kind] = step;
  }

  #logged({ nonce, principal, step }: Logged, at: number): void {
    this.#own(nonce, principal, at);
    if (step !== undefined) return this.#step(nonce, "logged", step, at);
    const number = numberOf(nonce);
    if (number <= this.#told)
      this.#wrong("a notification is doubled or out of order", `${nonce} after number ${this.#told}`, at);
    this.#told = Math.max(number, this.#told);
    this.#owed.delete(nonce);
  }

  /** Updates do not say to which change they belong, but there is at most one for each. */
  #updated(uri: string, at: number): void {
    if (clientOf(uri.replace(/^.*\/own\//, "").replace("/", "#")) !== this.client)
      return this.#wrong("data of another client", uri, at);
    const touches = this.#touches.get(uri) ?? 0;
    // Nodes that have lost what they sent announce a change again.
    const touchedAt = this.#touchedAt.get(uri) ?? at;
    if (touches === 0) return this.#lost("an update is doubled", uri, touchedAt, touchedAt + laterMs);
    this.#touches.set(uri, touches - 1);
    for (const call of this.#calls.values()) if (call.uri === uri) call.isUpdated = true;
  }

  #missing(nonce: string, { tool, at, answeredAt }: Call): void {
    const [rule, detail] = ["a notification is missing", `the one of ${tool} ${nonce}`];
    if (tool === "tell") return this.#lost(rule, detail, at, answeredAt);
    // Nodes write a change after the answer, and find out from the session whether the client has subscribed.
    this.#lost("an update is missing", detail, at, answeredAt + laterMs, this.#subscribing);
  }

  #own(nonce: string, principal: string | undefined, at: number): void {
    if (clientOf(nonce) !== this.client) this.#wrong("data of another client", nonce, at);
    if (principal !== this.principal) this.#wrong("data of another principal", `${nonce} ${principal}`, at);
  }

  #wrong(rule: string, detail: string, at: number): void {
    this.report({ rule, client: this.client, detail, isLoss: false, periods: [[at, at]] });
  }

  #lost(rule: string, detail: string, from: number, to: number, ...others: Period[]): void {
    this.report({ rule, client: this.client, detail, isLoss: true, periods: [[from, to], ...others] });
  }
}

function numberOf(nonce: string): number {
  return Number(nonce.slice(nonce.lastIndexOf("#") + 1));
}
