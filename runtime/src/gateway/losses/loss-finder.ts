import type { StepLosses } from "@mcpwright/protocol/contract";
import { INITIALIZE, LOGGING_SET_LEVEL, SERVER_DISCOVER } from "@mcpwright/protocol/names";
import { hasCapability } from "../../connection/capability.js";
import type { ServerContext } from "../../server/contracts.js";
import { wantsLogs } from "../forward/log-wishes.js";
import type { GatewayLoss } from "./gateway-loss.js";
import type { ListedServers, LossRecorder, LossyConnection, OtherLoss } from "./loss-recorder.js";
import { type ConvertedMessages, lossesBetween } from "./losses-between.js";
import { otherLosses, questionMethods, sharedQuestions } from "./other-losses.js";
import { requestsLosses, withLosses } from "./requested-losses.js";
import type { RecordedLosses } from "./recorded-losses.js";
import { relevantLosses } from "./relevant-losses.js";
import { unpassedCapabilities } from "./unpassed-capabilities.js";

/** A message, and the way that it takes. */
interface Way extends ConvertedMessages {
  readonly direction: GatewayLoss["direction"];
  readonly clientRevision: string;
}

/** Looks the losses of messages up in tables: once for each connection to a server, revision of clients, and method. */
export class LossFinder implements LossRecorder {
  /** What was looked up, by connection and revision of clients. */
  readonly #done = new WeakMap<LossyConnection, Map<string, Set<string>>>();
  /** The lists that were looked up, with the revisions of clients and the methods. */
  readonly #listed = new WeakMap<object, Set<string>>();

  constructor(
    readonly steps: readonly StepLosses[],
    readonly recorded: RecordedLosses,
  ) {}

  get losses(): readonly GatewayLoss[] {
    return this.recorded.all;
  }

  opened(connection: LossyConnection): void {
    const { client, server, events } = connection;
    const from = client.getNegotiatedProtocolVersion();
    const opening = client.era === "stateless" ? SERVER_DISCOVER : INITIALIZE;
    const unpassed = unpassedCapabilities(client.getServerCapabilities() ?? {}, opening, events.extensions);
    this.recorded.add(unpassed.map((loss) => ({ server, ...(from !== undefined && { from }), ...loss })));
  }

  answered(connection: LossyConnection, context: ServerContext): void {
    const { method, client } = context;
    const clientRevision = client.side.revision;
    // The capabilities of clients differ.
    if (connection.options.isolation === "shared" && !connection.isStateless)
      this.#sharedQuestions(connection, client.capabilities);
    if (this.#isDone(connection, clientRevision, method)) return;
    this.#find(connection, { sender: "client", part: "results", method, direction: "toClient", clientRevision });
    if (wantsLogs(context) && !connection.canLog) this.lost("logLevel", connection, LOGGING_SET_LEVEL);
  }

  listed(list: object, context: ServerContext, from: ListedServers): ((result: object) => object) | undefined {
    const isRequested = requestsLosses(context);
    this.#findListed(list, context, from);
    if (!isRequested) return undefined;
    const losses = this.losses.filter(({ server }) => from.mayKnow(server));
    return (result) => withLosses(result, losses);
  }

  asked(connection: LossyConnection, clientRevision: string, method: string): void {
    if (this.#isDone(connection, clientRevision, method)) return;
    const way = { sender: "server", method, clientRevision } as const;
    this.#find(connection, { ...way, part: "params", direction: "toClient" });
    this.#find(connection, { ...way, part: "results", direction: "toServer" });
  }

  notified(connection: LossyConnection, clientRevision: string, method: string): void {
    if (this.#isDone(connection, clientRevision, method)) return;
    this.#find(connection, { sender: "server", part: "notifications", method, direction: "toClient", clientRevision });
  }

  lost(loss: OtherLoss, connection: LossyConnection, method: string): void {
    if (this.#isDone(connection, loss, method)) return;
    this.recorded.add([{ server: connection.server, method, ...otherLosses[loss] }]);
  }

  #findListed(list: object, context: ServerContext, from: ListedServers): void {
    const key = `${context.client.side.revision} ${context.method}`;
    const known = this.#listed.get(list);
    if (known?.has(key)) return;
    if (known) known.add(key);
    else this.#listed.set(list, new Set([key]));
    for (const connection of from.connections()) this.answered(connection, context);
  }

  #sharedQuestions(connection: LossyConnection, capabilities: object): void {
    for (const [capability, method] of questionMethods)
      if (Object.hasOwn(capabilities, capability) && !this.#isDone(connection, sharedQuestions.at, method))
        this.recorded.add([{ server: connection.server, direction: "toClient", method, ...sharedQuestions }]);
  }

  #find(connection: LossyConnection, way: Way): void {
    const { client, server } = connection;
    const serverRevision = client.getNegotiatedProtocolVersion();
    if (serverRevision === undefined) return;
    const { direction, method, clientRevision } = way;
    const [from, to] = direction === "toClient" ? [serverRevision, clientRevision] : [clientRevision, serverRevision];
    const hasTasks = hasCapability(client.getServerCapabilities(), "server.tasks");
    const losses = relevantLosses(lossesBetween(this.steps, from, to, way), hasTasks);
    this.recorded.add(losses.map((loss) => ({ server, from, to, direction, method, ...loss })));
  }

  /** Whether something was looked up before; from now on it is. */
  #isDone(connection: LossyConnection, key: string, method: string): boolean {
    let ofConnection = this.#done.get(connection);
    if (!ofConnection) this.#done.set(connection, (ofConnection = new Map<string, Set<string>>()));
    const done = ofConnection.get(key);
    if (!done) ofConnection.set(key, new Set([method]));
    else if (done.has(method)) return true;
    else done.add(method);
    return false;
  }
}
