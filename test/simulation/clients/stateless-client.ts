import {
  META_CLIENT_CAPABILITIES,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  META_SUBSCRIPTION_ID,
  NOTIFICATIONS_MESSAGE,
  NOTIFICATIONS_PROGRESS,
  NOTIFICATIONS_RESOURCES_UPDATED,
  NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED,
  NOTIFICATIONS_TOOLS_LIST_CHANGED,
  SUBSCRIPTIONS_LISTEN,
  TOOLS_CALL,
} from "@mcpwright/protocol/names";
import type { ChangeKind } from "../cluster.js";
import type { Exchange } from "../network.js";
import { uris } from "../times.js";
import { Call, type StepKind } from "./call.js";
import { ChangeExpectations } from "./change-expectations.js";
import { SimulatedClient } from "./client.js";
import { jsonHeaders, type Message, request, toMessages } from "./messages.js";
import { readStream, type StreamEvents } from "./post-stream.js";

/** A stream of `subscriptions/listen`. */
interface Listening {
  readonly id: number;
  readonly changes: ChangeExpectations;
  exchange?: Exchange;
  isOpen: boolean;
}

/** A client of the stateless era: each request, also each round of a call, goes to any node. */
export class StatelessClient extends SimulatedClient {
  #ids = 0;
  #listening: Listening | undefined;
  readonly #calls = new Map<Call, Exchange>();

  act(): void {
    const kind = this.simulation.random.next();
    if (kind < 0.65) this.#callAny();
    else if (kind < 0.85) this.#listen();
    else this.#cancelAny();
  }

  settle(): void {
    if (!this.#listening?.isOpen) this.#listen();
  }

  checkEnd(): void {
    for (const call of this.#calls.keys()) call.checkEnd();
    if (this.#listening?.isOpen) this.#listening.changes.checkEnd();
  }

  protected override sayGoodbye(): void {
    // Nothing is kept for these clients.
  }

  // --- Calls ---

  #callAny(): void {
    const { random } = this.simulation;
    const tool = random.pick(["echo", "steps", "ask", "ask", "wait"] as const);
    const given = { token: this.newToken(), steps: random.between(1, 3), pauseMs: random.pick([0, 5, 300, 4_000]) };
    const call = new Call(this.simulation, this.name, tool, given, null, this.principal.subject, () => "info");
    this.#round(call, {});
  }

  /** Sends a call, or continues it with answers. */
  #round(call: Call, more: object): void {
    const id = this.#ids++;
    const node = this.cluster.pick();
    call.nodes.add(node);
    const params = { name: call.tool, arguments: call.given, ...more };
    const events: StreamEvents = {
      onMessage: (message) => {
        if (message) this.#receive(call, id, message);
      },
      onRefused: (status, text) => {
        if (status === 503 && call.isExcused) call.response ??= toMessages(text)[0];
        else if (status === 503 || !call.isExcused) this.#violate(`call ${call.token} is refused`, text);
      },
      onOver: (isComplete) => {
        if (!isComplete) call.excuses.add("its connection broke");
      },
    };
    const sent = this.#request(id, TOOLS_CALL, params, { progressToken: call.token }, { "mcp-name": call.tool });
    const reader = readStream(events, (text) => this.simulation.note(`${this.name} <- ${node.name} ${text}`));
    this.#calls.set(call, this.exchange(node, sent, reader));
  }

  #receive(call: Call, id: number, message: Message): void {
    const { method, params = {}, result } = message;
    if (method === NOTIFICATIONS_MESSAGE) {
      const { token, step } = params["data"] as { readonly token: string; readonly step: number };
      if (token === call.token) call.onStep(params["level"] as StepKind, step);
      else this.#violate(`${call.token} gets a log message of another call`, message);
    } else if (method === NOTIFICATIONS_PROGRESS) {
      if (params["progressToken"] === call.token) call.onStep("progress", params["progress"]);
      else this.#violate(`${call.token} gets progress of another call`, message);
    } else if (method !== undefined || message.id !== id)
      this.#violate(`${call.token} gets what does not belong to it`, message);
    else if (result?.["resultType"] === "input_required") this.#answer(call, result);
    else call.onResponse(message);
  }

  /** Answers the questions of a round, at any node. */
  #answer(call: Call, { requestState, inputRequests }: NonNullable<Message["result"]>): void {
    const { random } = this.simulation;
    if (random.chance(0.05)) return void call.excuses.add("its question was not answered");
    const questions = inputRequests as Readonly<Record<string, { readonly params: { readonly message: string } }>>;
    const inputResponses = Object.entries(questions).map(([key, { params }]) => {
      const { token, step } = JSON.parse(params.message) as { readonly token: string; readonly step: number };
      if (token !== call.token) this.#violate(`${call.token} is asked for another call`, params);
      const answer = `${token}/${step}/0`;
      if (call.answers.has(step)) this.#violate(`${call.token} is asked again`, params);
      call.answers.set(step, [answer]);
      return [key, { action: "accept", content: { answer } }];
    });
    this.later(1_000, () =>
      this.#round(call, { requestState, inputResponses: Object.fromEntries(inputResponses) as object }),
    );
  }

  /** Closing the connection cancels a call. */
  #cancelAny(): void {
    const running = [...this.#calls].filter(([call, { isOver }]) => !call.isOver && !isOver);
    if (running.length === 0) return;
    const [call, exchange] = this.simulation.random.pick(running);
    call.excuses.add("it was cancelled");
    exchange.leave();
  }

  // --- Changes ---

  #listen(): void {
    this.#listening?.exchange?.leave();
    const id = this.#ids++;
    const node = this.cluster.pick();
    const changes = new ChangeExpectations(this.cluster, `${this.name} #${id}`, false);
    const own: Listening = { id, changes, isOpen: false };
    this.#listening = own;
    const kinds: ChangeKind[] = [...uris.filter(() => this.simulation.random.chance(0.5)), "tools"];
    for (const kind of kinds) own.changes.ask(kind);
    const notifications = { toolsListChanged: true, resourceSubscriptions: kinds.filter((kind) => kind !== "tools") };
    const events: StreamEvents = {
      onMessage: (message) => {
        if (message) this.#receiveChange(own, kinds, message);
      },
      onRefused: (status, text) => {
        if (status !== 503) this.#violate("a stream is refused", text);
      },
      onOver: () => {
        own.isOpen = false;
      },
    };
    const reader = readStream(events, (text) => this.simulation.note(`${this.name} <- ${node.name} #${id} ${text}`));
    own.exchange = this.exchange(node, this.#request(id, SUBSCRIPTIONS_LISTEN, { notifications }), reader);
  }

  #receiveChange({ id, changes, ...own }: Listening, kinds: readonly ChangeKind[], message: Message): void {
    const { method, params = {} } = message;
    if (method === undefined) {
      if (message.id !== id) this.#violate("a stream ends with the response to another request", message);
      return;
    }
    const subscription = (params["_meta"] as Readonly<Record<string, unknown>> | undefined)?.[META_SUBSCRIPTION_ID];
    if (subscription !== id) return this.#violate(`stream ${id} gets a message of another`, message);
    if (method === NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED) {
      for (const kind of kinds) changes.confirm(kind);
      if (this.#listening?.id === id && own.exchange?.isOver !== true) this.#listening.isOpen = true;
    } else if (method === NOTIFICATIONS_RESOURCES_UPDATED) changes.onChange(params["uri"] as ChangeKind);
    else if (method === NOTIFICATIONS_TOOLS_LIST_CHANGED) changes.onChange("tools");
    else this.#violate(`stream ${id} gets an unknown message`, message);
  }

  #request(id: number, method: string, params: object, meta: object = {}, headers: object = {}) {
    const _meta = {
      [META_PROTOCOL_VERSION]: this.revision,
      [META_CLIENT_CAPABILITIES]: { elicitation: { form: {} } },
      [META_LOG_LEVEL]: "info",
      ...meta,
    };
    return {
      method: "POST",
      headers: { ...jsonHeaders, "mcp-protocol-version": this.revision, "mcp-method": method, ...headers },
      body: JSON.stringify(request(id, method, { ...params, _meta })),
    } as const;
  }

  #violate(text: string, message: unknown): void {
    this.simulation.violate(`${this.name}: ${text}: ${JSON.stringify(message)}`);
  }
}
