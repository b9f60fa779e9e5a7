import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type { ClientCapabilities } from "../../authoring.js";
import type { GatewayLoss } from "./gateway-loss.js";
import type { OtherLoss } from "./loss-recorder.js";
import type { MessageLoss } from "./relevant-losses.js";

/** The losses that have another reason than the revisions. */
export const otherLosses: Readonly<Record<OtherLoss, MessageLoss & Pick<GatewayLoss, "direction">>> = {
  question: {
    direction: "toClient",
    kind: "refuse",
    at: "session",
    text: "Questions that the server sends while no request is in progress, for clients without a session.",
  },
  logMessage: {
    direction: "toClient",
    kind: "drop",
    at: "isolation",
    text: "Log messages: over a shared connection, nothing shows which client they are for.",
  },
  logLevel: {
    direction: "toServer",
    kind: "unsupported",
    at: "capabilities.logging",
    text: "The log level of clients: the server has no log messages.",
  },
  subscription: {
    direction: "toServer",
    kind: "unsupported",
    at: "capabilities.resources.subscribe",
    text: "Subscriptions: the server does not notify of changes of resources.",
  },
};

/** With `isolation: "shared"`, a server of the handshake era cannot ask. */
export const sharedQuestions: MessageLoss = {
  kind: "unsupported",
  at: "isolation",
  text: "Questions: over a shared connection, nothing shows which client they are for.",
};

/** The methods by which servers ask clients with a capability. */
export const questionMethods: readonly (readonly [keyof ClientCapabilities, string])[] = [
  ["elicitation", ELICITATION_CREATE],
  ["sampling", SAMPLING_CREATE_MESSAGE],
  ["roots", ROOTS_LIST],
];
