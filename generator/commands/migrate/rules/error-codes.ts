import { Node } from "ts-morph";
import { replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

/** Codes of failures on this side, which are strings here. In 1.x they were numbers among those of the protocol. */
const localCodes: Readonly<Record<string, string>> = {
  NotConnected: "NOT_CONNECTED",
  AlreadyConnected: "ALREADY_CONNECTED",
  CapabilityNotSupported: "CAPABILITY_NOT_SUPPORTED",
  RequestTimeout: "REQUEST_TIMEOUT",
  ConnectionClosed: "CONNECTION_CLOSED",
  SendFailed: "SEND_FAILED",
  InvalidResult: "INVALID_RESULT",
};

/** Codes that ErrorCode has here. */
const protocolCodes: ReadonlySet<string> = new Set([
  "ParseError",
  "InvalidRequest",
  "MethodNotFound",
  "InvalidParams",
  "InternalError",
  "UrlElicitationRequired",
]);

/** Rewrites errors that are thrown, and the codes of errors. */
export const errorCodes: Rule = {
  id: "error-codes",
  summary:
    '`new McpError(…)` becomes `new ProtocolError(…)`, and `SdkErrorCode.RequestTimeout` becomes `"REQUEST_TIMEOUT"`.',
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (Node.isNewExpression(node) && rewriter.officialName(node.getExpression()) === "McpError") {
        rewriter.use("@mcpwright/runtime", "ProtocolError");
        rewriter.change(replaced(node.getExpression(), "ProtocolError"));
      }
      if (!Node.isPropertyAccessExpression(node)) return;
      const [owner, name] = [rewriter.officialName(node.getExpression()), node.getName()];
      if (owner === undefined || !/^(?:ErrorCode|ProtocolErrorCode|SdkErrorCode)$/.test(owner)) return;
      const local = Object.hasOwn(localCodes, name) ? localCodes[name] : undefined;
      if (local !== undefined) rewriter.change(replaced(node, rewriter.string(local)));
      else if (owner === "SdkErrorCode")
        rewriter.todo(node, `codes of SdkError are strings: find the one of ${name}`, "from-sdk-1x");
      else if (!protocolCodes.has(name))
        rewriter.todo(
          node,
          `ErrorCode has no ${name}: compare with the constant of @mcpwright/protocol/<revision>`,
          "names-servers-and-both-sides",
        );
    });
  },
};
