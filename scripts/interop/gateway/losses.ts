/** What cannot be carried through a gateway, and why. Each run must show the evidence; without it, a cell fails. */
import type { ConversionLoss, ConversionLosses, ConvertedPart } from "@mcpwright/protocol/contract";
import * as to20250326 from "@mcpwright/protocol/2025-03-26/losses";
import * as to20250618 from "@mcpwright/protocol/2025-06-18/losses";
import * as to20251125 from "@mcpwright/protocol/2025-11-25/losses";
import * as to20260728 from "@mcpwright/protocol/2026-07-28/losses";
import { type ClientSide, isStateless, revisions, type ServerSide } from "./sides.js";

/** Why a feature does not work between a client and a server. */
export interface Loss {
  /** The reason, for the document. */
  readonly what: string;
  /** The pattern that the problem must match. */
  readonly evidence: RegExp;
  /** Whether the feature sometimes works, depending on the timing of messages. Default: `false`. */
  readonly sometimes?: boolean;
}

/** A loss of the conversion of messages of servers. */
interface ConvertedLoss {
  readonly feature: string;
  readonly part: ConvertedPart;
  readonly method: string;
  /** The kind and place of the loss in the generated table. */
  readonly kind: ConversionLoss["kind"];
  readonly at: string;
  readonly evidence: RegExp;
  /** The only server that it is for. Default: all. */
  readonly program?: ServerSide["program"];
}

/** A loss that no conversion causes. */
interface OtherLoss extends Loss {
  readonly features: readonly string[];
  readonly isFor: (client: ClientSide, server: ServerSide) => boolean;
}

const question = { part: "params", method: "elicitation/create" } as const;
const result = { part: "results", method: "tools/call" } as const;
const undeclared = /The client did not declare the required capability elicitation/;

const converted: readonly ConvertedLoss[] = [
  {
    feature: "structured output",
    ...result,
    kind: "drop",
    at: "CallToolResult.structuredContent",
    evidence: /the output is not .* but: undefined/,
  },
  {
    feature: "resource links",
    ...result,
    kind: "substitute",
    at: "ResourceLink",
    evidence: /the content is not .* but: \["text","text","text"\]/,
  },
  { feature: "elicitation", ...question, kind: "unsupported", at: "elicitation/create", evidence: undeclared },
  {
    feature: "elicitation",
    ...question,
    kind: "refuse",
    at: "UntitledMultiSelectEnumSchema",
    evidence: /Form field "untitledMultipleSelectEnum": forms do not support its type/,
    program: "everything",
  },
  { feature: "elicitation by URL", ...question, kind: "unsupported", at: "elicitation/create", evidence: undeclared },
  { feature: "elicitation by URL", ...question, kind: "refuse", at: "ElicitRequestURLParams", evidence: undeclared },
];

/** A client without a session, for which no connection to a server of the handshake era can be kept. */
const hasNoSession = (client: ClientSide, server: ServerSide): boolean =>
  isStateless(client) && client.transport !== "stdio" && !isStateless(server);

const lateProgress: Loss = {
  what:
    "The client drops its progress token when the result arrives, before it handles progress that arrived with it. It is the same " +
    "without a gateway.",
  evidence: /it reported to onerror: Error: Received a progress notification for an unknown token/,
  sometimes: true,
};

const others: readonly OtherLoss[] = [
  {
    features: ["subscriptions", "list changed"],
    what:
      "A client of 2026-07-28 over HTTP has no session. So that a server of an older revision cannot ask the wrong user, each of its " +
      "calls has a session with the server to itself, and over stdio a process. A change that a call makes in the memory of that " +
      "session does not reach the session from which the gateway gets lists and changes.",
    isFor: (client, server) =>
      hasNoSession(client, server) && (server.program === "everything" || server.transport === "stdio"),
    evidence:
      /timed out after 2500 ms: (no update|it answers a GET)|is not among the tools|the new resource is not listed/,
  },
  {
    features: ["logging"],
    what: "A server of an older revision sends this log message outside of a call. A client of 2026-07-28 gets log messages only in its calls.",
    isFor: (client, server) => isStateless(client) && server.program === "everything",
    evidence: /timed out after 2500 ms: the log messages are \[\]/,
  },
  {
    features: ["roots", "tools", "structured output"],
    what:
      "The server asks for the roots when its session opens, and can use only folders that are roots. A client of 2026-07-28 can be " +
      "asked only during its calls.",
    isFor: (client, server) => isStateless(client) && server.program === "filesystem",
    evidence: /timed out after 2500 ms: Allowed directories:|Access denied|the output is not .* but: undefined/,
  },
  {
    features: ["progress"],
    what:
      "The server asks for the roots some time after its session opens, in a call that happens to run. The client of 2026-07-28 answers " +
      "when it repeats the call, and gets no progress in the meantime.",
    isFor: (client, server) => isStateless(client) && server.program === "everything",
    evidence: /the progress is not \[1,2,3,4\]/,
    sometimes: true,
  },
  {
    features: ["elicitation by URL"],
    what:
      "The server remembers in its session that it has required the URL. A client of 2026-07-28 over HTTP has no session, so that the " +
      "repeated call can get another one, for which the server requires it again.",
    isFor: (client, server) => hasNoSession(client, server) && server.program === "everything",
    evidence: /-32042|REQUEST_TIMEOUT/,
    sometimes: true,
  },
  {
    features: ["tasks"],
    what: "The tool must be called as a task of 2025-11-25. The gateway declares no tasks: since 2026-07-28, they are an extension with other messages.",
    isFor: () => true,
    evidence: /requires task augmentation/,
  },
  {
    ...lateProgress,
    features: ["progress at once"],
    isFor: ({ program, transport }) => program !== "mcpwright" && transport === "stdio",
  },
  {
    ...lateProgress,
    features: ["progress"],
    // It sends the last progress and the result together.
    isFor: ({ program, transport }, server) =>
      program !== "mcpwright" && transport === "stdio" && server.program === "everything",
  },
];

/** The documented loss of a feature, if there is one. */
export function lossOf(feature: string, client: ClientSide, server: ServerSide): Loss | undefined {
  for (const one of converted) {
    const { program = server.program } = one;
    if (one.feature !== feature || program !== server.program) continue;
    const what = conversionLoss(server.revision, client.revision, one);
    if (what !== undefined) return { what, evidence: one.evidence };
  }
  return others.find(({ features, isFor }) => features.includes(feature) && isFor(client, server));
}

/** The features that are lost between a client and a server, always or sometimes. */
export function lostFeatures(client: ClientSide, server: ServerSide): readonly string[] {
  const all = new Set([...converted.map(({ feature }) => feature), ...others.flatMap(({ features }) => features)]);
  return [...all].filter((feature) => lossOf(feature, client, server));
}

/** The steps of conversion, in the order of the revisions that they lead to. */
const steps = [to20250326, to20250618, to20251125, to20260728];

/** Says what messages of a server lose on the way to the revision of the client; the first loss counts. */
function conversionLoss(from: string, to: string, { part, method, kind, at }: ConvertedLoss): string | undefined {
  const [start, end] = [revisions.indexOf(from), revisions.indexOf(to)];
  const direction = Math.sign(end - start);
  // The tables are by the sender of the request, whose result has the opposite direction.
  const sender = part === "results" ? "client" : "server";
  for (let place = start; place !== end; place += direction) {
    const losses: ConversionLosses | undefined = direction > 0 ? steps[place]?.upLosses : steps[place - 1]?.downLosses;
    const found = losses?.[sender][part][method]?.find((loss) => loss.kind === kind && loss.at === at);
    if (!found) continue;
    const text = kind === "unsupported" ? `${found.text}.` : found.text;
    return `\`${method}\` from ${revisions[place] ?? ""} to ${revisions[place + direction] ?? ""}: ${text}`;
  }
  return undefined;
}
