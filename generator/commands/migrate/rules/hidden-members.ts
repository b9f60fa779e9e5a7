import { Node, SyntaxKind } from "ts-morph";
import type { FileRewriter } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

/** Members that other rules rewrite where they are called. */
const rewritten: Readonly<Record<string, ReadonlySet<string>>> = {
  Server: new Set([
    "setRequestHandler",
    "setNotificationHandler",
    "notification",
    "request",
    "createMessage",
    "elicitInput",
    "listRoots",
    "sendLoggingMessage",
    "getClientCapabilities",
    "getClientVersion",
  ]),
  McpServer: new Set([
    "tool",
    "resource",
    "prompt",
    "registerTool",
    "registerPrompt",
    "sendLoggingMessage",
    "isConnected",
  ]),
  Client: new Set(["setRequestHandler", "setNotificationHandler", "request", "notification", "listen", "discover"]),
  HandlerContext: new Set(["mcpReq", "sendNotification", "sendRequest", "sessionId", "authInfo", "requestInfo"]),
};

/** Marks members that are reached in another way than the rules follow. */
export const hiddenMembers: Rule = {
  id: "hidden-members",
  summary: '`server["registerTool"]`, `server.setRequestHandler.bind(server)` and the like get a comment.',
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      const name = hiddenMember(rewriter, node);
      if (name !== undefined)
        rewriter.todo(
          node,
          `${name} has another form here: call it as a member, or change its calls`,
          "replace-members",
        );
    });
  },
};

function hiddenMember(rewriter: FileRewriter, node: Node): string | undefined {
  if (Node.isElementAccessExpression(node)) {
    const key = node.getArgumentExpression();
    const name = key?.getType().getLiteralValue();
    return typeof name === "string" && isRewritten(rewriter, node.getExpression(), name) ? name : undefined;
  }
  if (Node.isPropertyAccessExpression(node)) {
    const name = node.getName();
    const isContext = rewriter.officialType(node.getExpression()) === "HandlerContext";
    return !isContext && !isCalled(node) && !isExpected(node) && isRewritten(rewriter, node.getExpression(), name)
      ? name
      : undefined;
  }
  if (!Node.isObjectBindingPattern(node)) return undefined;
  const declaration = node.getParentIfKind(SyntaxKind.VariableDeclaration);
  const value = declaration?.getInitializer();
  // Other rules know contexts that are taken apart.
  if (!value || rewriter.officialType(value) === "HandlerContext") return undefined;
  return node
    .getElements()
    .map((one) => one.getPropertyNameNode()?.getText() ?? one.getName())
    .find((name) => isRewritten(rewriter, value, name));
}

function isRewritten(rewriter: FileRewriter, owner: Node, name: string): boolean {
  const type = rewriter.officialType(owner);
  return type !== undefined && Object.hasOwn(rewritten, type) && rewritten[type]?.has(name) === true;
}

/** Whether a test asks about the calls of a member: `expect(server.registerTool)`. */
function isExpected(access: Node): boolean {
  const call = access.getParent();
  return Node.isCallExpression(call) && /^(?:expect|assert)\b/.test(call.getExpression().getText());
}

/** Whether a member is called where it is named, also behind parentheses or `!`. */
function isCalled(access: Node): boolean {
  const parent = access.getParent();
  if (Node.isNonNullExpression(parent) || Node.isParenthesizedExpression(parent)) return isCalled(parent);
  return Node.isCallExpression(parent) && parent.getExpression() === access;
}
