import { Client as NativeClient, type SendOptions } from "@mcpwright/runtime/client/core";
import { findClientIssues } from "@mcpwright/protocol/client-issues";
import type { Side } from "@mcpwright/protocol/contract";
import { SdkError, SdkErrorCode } from "../shared/errors.js";
import type { ClientCapabilities, Implementation, InitializeResult, Result } from "../types/index.js";
import { DEFAULT_REQUEST_TIMEOUT_MSEC } from "../shared/request-options.js";
import type { OpenSides } from "../shared/open-sides.js";
import type { Transport } from "../shared/transport.js";
import type { ConnectOptions, VersionNegotiationOptions } from "./options.js";
import { noConversions, offeredSides, type Offer } from "./revisions.js";
import { type PortHooks, TransportPort } from "./transport-port.js";

/** How a client of the runtime is made and connected. */
export interface ConnectionPlan {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly maxRounds: number;
  readonly sides: OpenSides;
  readonly supported: readonly string[] | undefined;
  readonly negotiation: VersionNegotiationOptions;
  /** The handshake of an earlier connection, whose session the transport continues. */
  readonly resumed: Partial<InitializeResult>;
  readonly hooks: PortHooks;
  readonly onerror: (error: Error) => void;
  readonly onclose: (error: Error | undefined) => void;
  /** Called before anything is sent. */
  readonly prepare: (client: NativeClient<readonly Side[]>) => void;
}

type AnyRequests = Readonly<Record<string, { readonly params: object | undefined; readonly result: Result }>>;

/** A client of the runtime, connected over a transport with the interface of the official SDK. */
export class ConnectedServer {
  private constructor(
    readonly client: NativeClient<readonly Side[]>,
    readonly port: TransportPort,
  ) {}

  /** @throws SdkError `ERA_NEGOTIATION_FAILED` when client and server have no revision in common; errors of the runtime */
  static async open(transport: Transport, options: ConnectOptions, plan: ConnectionPlan): Promise<ConnectedServer> {
    const { sides, supported, negotiation, hooks, onerror, onclose } = plan;
    const { prior } = options;
    const offer: Offer = prior?.kind ?? negotiation.mode ?? "legacy";
    const revisions = offeredSides(sides, offer, supported);
    assertOverlap(revisions, options);
    const client = new NativeClient<readonly Side[]>(plan.info as never, {
      revisions,
      conversions: noConversions,
      findIssues: findClientIssues,
      capabilities: plan.capabilities as never,
      maxRounds: plan.maxRounds,
      onerror,
      onclose,
    });
    plan.prepare(client);
    const port = new TransportPort(transport, hooks, transport.sessionId === undefined ? undefined : plan.resumed);
    // Servers that are slow to start must not be taken for ones that do not know the probe.
    const probeTimeoutMs = negotiation.probe?.timeoutMs ?? options.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC;
    await client.connect(port, {
      ...(options.timeout !== undefined && { timeoutMs: options.timeout }),
      ...(options.signal && { signal: options.signal }),
      probeTimeoutMs,
      ...(offer === "legacy" && { era: "handshake" }),
      ...(prior?.kind === "modern" && { prior: { ...emptyDiscovery, ...prior.discover } as never }),
    });
    const server = new ConnectedServer(client, port);
    // The handshake sets it otherwise.
    if (client.era === "stateless") port.setProtocolVersion(client.getNegotiatedProtocolVersion() ?? "");
    return server;
  }

  get isModern(): boolean {
    return this.client.era === "stateless";
  }

  request(method: string, params: object | undefined, options: SendOptions): Promise<Result> {
    return this.client.request<AnyRequests>(method, params, options);
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  async notify(method: string, params?: object): Promise<void> {
    await this.client.connection.notify(method, params);
  }
}

/** The members of a discovery that say how long it may be kept. */
const emptyDiscovery = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

function assertOverlap(revisions: readonly Side[], { prior }: ConnectOptions): void {
  const server = prior?.kind === "modern" ? prior.discover.supportedVersions : undefined;
  const isPossible = server ? revisions.some(({ revision }) => server.includes(revision)) : revisions.length > 0;
  if (isPossible) return;
  const what = server
    ? `connect({ prior }): the server supports only ${server.join(", ")}; pass prior: { kind: 'legacy' } for a server with a handshake`
    : "this client supports no revision that versionNegotiation allows";
  throw new SdkError(SdkErrorCode.EraNegotiationFailed, what);
}
